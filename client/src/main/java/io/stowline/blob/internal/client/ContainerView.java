package io.stowline.blob.internal.client;

import com.azure.storage.blob.BlobContainerAsyncClient;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.CopySettings;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.copy.ContainerSource;
import io.stowline.blob.internal.copy.CopySource;
import io.stowline.blob.internal.copy.ServerCopy;
import io.stowline.blob.internal.copy.StartedCopy;
import io.stowline.blob.internal.lease.LeaseFace;
import io.stowline.blob.internal.upload.MediaTypes;
import io.stowline.blob.internal.upload.Upload;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/**
 * The views of a container and the transfers that it begins, which both faces share.
 *
 * @param <F> the face
 */
abstract class ContainerView<F> {

    final BlobContext context;

    ContainerView(BlobContext context) {
        this.context = context;
    }

    /** Returns the face of another view of the container. */
    abstract F of(BlobContext other);

    public String name() {
        return context.name();
    }

    public BlobContainerAsyncClient unwrap() {
        return context.applicationClient();
    }

    public F withHeader(String name, String value) {
        return of(context.header(name, value));
    }

    public F withRetry(UnaryOperator<RetrySettings.Builder> settings) {
        return of(context.with(DirectoryTransfers.changed(settings, context.retry().toBuilder())
                .build()));
    }

    public F withReadPreference(ReadFrom source) {
        return of(context.with(source));
    }

    final Upload uploading(String name, UnaryOperator<UploadSettings.Builder> settings) {
        return uploading(name, settings, UploadSettings.builder());
    }

    final Upload uploading(Path file, String name, UnaryOperator<UploadSettings.Builder> settings) {
        return uploading(name, settings, MediaTypes.settings(name, Objects.requireNonNull(file, "file")));
    }

    private Upload uploading(
            String name, UnaryOperator<UploadSettings.Builder> settings, UploadSettings.Builder defaults) {
        return new Upload(
                context, name, DirectoryTransfers.changed(settings, defaults).build());
    }

    static DownloadSettings downloading(UnaryOperator<DownloadSettings.Builder> settings) {
        return DirectoryTransfers.changed(settings, DownloadSettings.builder()).build();
    }

    final DirectoryTransfers transfers() {
        return new DirectoryTransfers(context);
    }

    final Mono<BlobWriteResult> copy(CopySource source, String name, UnaryOperator<CopySettings.Builder> settings) {
        CopySettings chosen =
                DirectoryTransfers.changed(settings, CopySettings.builder()).build();
        return new ServerCopy(context, "copyFrom", name, source, from -> target(chosen, from))
                .with(chosen.sourceTags())
                .run(chosen.sourceIfMatch().orElse(null));
    }

    final StartedCopy starting(CopySource source, String name, UnaryOperator<CopySettings.Builder> settings) {
        return new StartedCopy(
                context,
                name,
                source,
                DirectoryTransfers.changed(settings, CopySettings.builder()).build());
    }

    static UploadSettings target(CopySettings settings, BlobInfo from) {
        return new UploadSettings(
                settings.overwrite(),
                settings.ifMatch(),
                DirectoryTransfers.changed(settings.headers(), from.headers().toBuilder())
                        .build(),
                settings.metadata().orElse(from.metadata()),
                settings.tags(),
                settings.tier(),
                settings.ifTags(),
                settings.blockSize(),
                settings.parallelism(),
                false,
                settings.progress());
    }

    static CopySource source(Object source, String sourceName) {
        return new ContainerSource(contextOf(source, "source"), Objects.requireNonNull(sourceName, "sourceName"));
    }

    static BlobContext contextOf(Object container) {
        return contextOf(container, "container");
    }

    /** Returns the container with a lease that its writes name. */
    final F guarded(Object lease) {
        if (Objects.requireNonNull(lease, "lease") instanceof LeaseFace ours) {
            return of(ours.holder().in(context));
        }
        throw new IllegalArgumentException(
                "lease is not one of this library, but a " + lease.getClass().getName());
    }

    /**
     * Returns the context of a container that is given.
     *
     * @param parameter its name in the call
     */
    static BlobContext contextOf(Object container, String parameter) {
        if (Objects.requireNonNull(container, parameter) instanceof ContainerView<?> ours) {
            return ours.context;
        }
        throw new IllegalArgumentException(parameter + " is not a container of this library, but a "
                + container.getClass().getName());
    }
}
