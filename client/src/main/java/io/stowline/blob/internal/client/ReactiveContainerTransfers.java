package io.stowline.blob.internal.client;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.CopySettings;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.blob.ReactiveBlobCopy;
import io.stowline.blob.ReactiveBlobDownload;
import io.stowline.blob.ReactiveBlobReplicas;
import io.stowline.blob.ReplicaSettings;
import io.stowline.blob.Transfer;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.copy.AddressSource;
import io.stowline.blob.internal.copy.DefaultReactiveBlobCopy;
import io.stowline.blob.internal.copy.PendingCopy;
import io.stowline.blob.internal.directory.DirectoryTransfer;
import io.stowline.blob.internal.download.Download;
import io.stowline.blob.internal.file.DownloadTo;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The part of a {@link ReactiveBlobContainer} that moves content: uploads, downloads and copies of single blobs and of directories. It delivers their results.
 */
abstract class ReactiveContainerTransfers extends ContainerView<ReactiveBlobContainer>
        implements ReactiveBlobContainer {

    ReactiveContainerTransfers(BlobContext context) {
        super(context);
    }

    @Override
    public Mono<BlobWriteResult> upload(Path file, String name, UnaryOperator<UploadSettings.Builder> settings) {
        return context.delivered(
                Mono.defer(() -> uploading(file, name, settings).fileLater(file)));
    }

    @Override
    public Mono<BlobWriteResult> upload(byte[] content, String name, UnaryOperator<UploadSettings.Builder> settings) {
        return context.delivered(
                Mono.defer(() -> uploading(name, settings).bytes(Objects.requireNonNull(content, "content"))));
    }

    @Override
    public Mono<BlobWriteResult> upload(
            InputStream content, String name, UnaryOperator<UploadSettings.Builder> settings) {
        return context.delivered(
                Mono.defer(() -> uploading(name, settings).streamLater(Objects.requireNonNull(content, "content"))));
    }

    @Override
    public Mono<BlobWriteResult> upload(
            Publisher<ByteBuffer> content, String name, UnaryOperator<UploadSettings.Builder> settings) {
        return context.delivered(
                Mono.defer(() -> uploading(name, settings).publisher(Objects.requireNonNull(content, "content"))));
    }

    @Override
    public Mono<byte[]> download(String name, UnaryOperator<DownloadSettings.Builder> settings) {
        return context.delivered(Mono.defer(() -> new Download(context).whole(name, downloading(settings))));
    }

    @Override
    public Mono<DownloadSettings.FileDownload> downloadTo(
            String name, Path target, UnaryOperator<DownloadSettings.Builder> settings) {
        return context.delivered(Mono.defer(() ->
                new DownloadTo(context, name, downloading(settings)).toFile(Objects.requireNonNull(target, "target"))));
    }

    @Override
    public Mono<BlobInfo> downloadTo(
            String name, OutputStream target, UnaryOperator<DownloadSettings.Builder> settings) {
        return context.delivered(Mono.defer(() -> new DownloadTo(context, name, downloading(settings))
                .streamLater(Objects.requireNonNull(target, "target"))));
    }

    @Override
    public Flux<ByteBuffer> open(String name, UnaryOperator<DownloadSettings.Builder> settings) {
        return context.delivered(Flux.defer(() -> new Download(context).open(name, downloading(settings))));
    }

    @Override
    public Mono<ReactiveBlobDownload> openDownload(String name, UnaryOperator<DownloadSettings.Builder> settings) {
        return context.delivered(Mono.defer(() -> {
            DownloadSettings known = downloading(settings);
            return new Download(context)
                    .opened(name, known)
                    .map(content ->
                            new DefaultReactiveBlobDownload(content, known.from(), context.delivered(content.once())));
        }));
    }

    @Override
    public Mono<Transfer> uploadDirectory(
            Path directory, String prefix, UnaryOperator<DirectorySettings.Builder> settings) {
        return transfer(() -> transfers().upload(directory, prefix, settings));
    }

    @Override
    public Mono<Transfer> downloadDirectory(
            String prefix, Path directory, UnaryOperator<DirectorySettings.Builder> settings) {
        return transfer(() -> transfers().download(prefix, directory, settings));
    }

    @Override
    public Mono<BlobWriteResult> copyFrom(
            ReactiveBlobContainer source,
            String sourceName,
            String name,
            UnaryOperator<CopySettings.Builder> settings) {
        return context.delivered(copy(source(source, sourceName), name, settings));
    }

    @Override
    public Mono<BlobWriteResult> copyFrom(URI source, String name, UnaryOperator<CopySettings.Builder> settings) {
        return context.delivered(copy(new AddressSource(context, source), name, settings));
    }

    @Override
    public Mono<ReactiveBlobCopy> startCopy(
            ReactiveBlobContainer source,
            String sourceName,
            String name,
            UnaryOperator<CopySettings.Builder> settings) {
        return context.delivered(
                starting(source(source, sourceName), name, settings).start().map(DefaultReactiveBlobCopy::new));
    }

    @Override
    public Mono<ReactiveBlobCopy> startCopy(URI source, String name, UnaryOperator<CopySettings.Builder> settings) {
        return context.delivered(starting(new AddressSource(context, source), name, settings)
                .start()
                .map(DefaultReactiveBlobCopy::new));
    }

    @Override
    public ReactiveBlobCopy pendingCopy(String name, String id) {
        return new DefaultReactiveBlobCopy(new PendingCopy(context, name, id));
    }

    @Override
    public Mono<Transfer> copyDirectory(
            String prefix,
            ReactiveBlobContainer target,
            String newPrefix,
            UnaryOperator<DirectorySettings.Builder> settings) {
        return transfer(() -> transfers().copy(prefix, contextOf(target, "target"), newPrefix, settings));
    }

    @Override
    public ReactiveBlobReplicas replicas(
            List<ReactiveBlobContainer> others, UnaryOperator<ReplicaSettings.Builder> settings) {
        return new DefaultReactiveBlobReplicas(ReplicaOperations.of(context, others, settings));
    }

    @Override
    public Mono<Transfer> deleteDirectory(String prefix, UnaryOperator<DirectorySettings.Builder> settings) {
        return transfer(() -> transfers().delete(prefix, settings));
    }

    private Mono<Transfer> transfer(Supplier<DirectoryTransfer> transfer) {
        return context.delivered(Mono.fromSupplier(() -> DefaultTransfer.start(transfer.get(), context)));
    }
}
