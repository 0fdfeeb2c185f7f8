package io.stowline.blob.internal.client;

import io.stowline.access.BlobSasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobRevision;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.ReactiveBlobRevision;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.RevisionId;
import io.stowline.blob.internal.copy.Promotion;
import io.stowline.blob.internal.operations.RevisionOperations;
import io.stowline.blob.internal.request.ListedElement;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.error.internal.PrintableText;
import io.stowline.outcome.WriteResult;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** {@link BlobRevision} that reads by the container at its id. */
final class DefaultBlobRevision extends RevisionView implements BlobRevision {

    private DefaultBlobRevision(
            BlobContext context, String name, RevisionId id, @Nullable BlobInfo info, RevisionState state) {
        super(context, name, id, info, state);
    }

    static BlobRevision snapshot(BlobContext context, String name, String id) {
        return of(context, name, RevisionId.SNAPSHOT, id);
    }

    static BlobRevision version(BlobContext context, String name, String id) {
        return of(context, name, RevisionId.VERSION, id);
    }

    private static BlobRevision of(BlobContext context, String name, String parameter, String id) {
        Objects.requireNonNull(name, "name");
        if (Objects.requireNonNull(id, "id").isEmpty()) {
            throw new IllegalArgumentException("the id is empty");
        }
        return new DefaultBlobRevision(
                context, BlobNameRules.check(name), new RevisionId(parameter, id), null, RevisionState.KEPT);
    }

    static BlobRevision of(BlobContext context, ListedElement element) {
        RevisionId id = Objects.requireNonNull(RevisionOperations.id(element), "no revision");
        RevisionState state = element.isDeleted()
                ? RevisionState.DELETED
                : element.isCurrentVersion() ? RevisionState.CURRENT : RevisionState.KEPT;
        return new DefaultBlobRevision(context, element.name(), id, element.info(ReadOrigin.primary()), state);
    }

    @Override
    public BlobSasBuilder<SharedAccessSignature> sas() {
        return context.sas(name, BlockingAwait::result);
    }

    @Override
    public ReactiveBlobRevision reactive() {
        return new DefaultReactiveBlobRevision(this);
    }

    private BlobContainer blobs() {
        return new DefaultBlobContainer(context);
    }

    @Override
    public BlobInfo info() {
        return blobs().info(name);
    }

    @Override
    public Map<String, String> tags() {
        return blobs().tags(name);
    }

    @Override
    public byte[] download(UnaryOperator<DownloadSettings.Builder> settings) {
        return blobs().download(name, settings);
    }

    @Override
    public DownloadSettings.FileDownload downloadTo(Path target, UnaryOperator<DownloadSettings.Builder> settings) {
        return blobs().downloadTo(name, target, settings);
    }

    @Override
    public BlobInfo downloadTo(OutputStream target) {
        return blobs().downloadTo(name, target);
    }

    @Override
    public InputStream open() {
        return blobs().open(name);
    }

    @Override
    public SeekableByteChannel channel(UnaryOperator<DownloadSettings.Builder> settings) {
        return blobs().channel(name, settings);
    }

    @Override
    public void promote() {
        BlockingAwait.on(new Promotion(context, name).run());
    }

    @Override
    public WriteResult delete() {
        return BlockingAwait.result(new RevisionOperations(context).delete(name));
    }

    @Override
    public String toString() {
        return PrintableText.of("BlobRevision[" + context.resource(name) + "]");
    }
}
