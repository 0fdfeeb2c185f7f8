package io.stowline.blob.internal.client;

import io.stowline.access.BlobSasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobRevision;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.blob.ReactiveBlobRevision;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.operations.RevisionOperations;
import io.stowline.blob.internal.operations.TagOperations;
import io.stowline.outcome.WriteResult;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@link ReactiveBlobRevision} that reads by the container at its id. */
record DefaultReactiveBlobRevision(BlobRevision revision, BlobContext context) implements ReactiveBlobRevision {

    @Override
    public String name() {
        return revision.name();
    }

    @Override
    public String id() {
        return revision.id();
    }

    @Override
    public boolean isSnapshot() {
        return revision.isSnapshot();
    }

    @Override
    public BlobSasBuilder<Mono<SharedAccessSignature>> sas() {
        return context.sas(name(), context::delivered);
    }

    @Override
    public Optional<BlobInfo> listed() {
        return revision.listed();
    }

    @Override
    public boolean current() {
        return revision.current();
    }

    @Override
    public boolean deleted() {
        return revision.deleted();
    }

    private ReactiveBlobContainer blobs() {
        return new DefaultReactiveBlobContainer(context);
    }

    @Override
    public Mono<BlobInfo> info() {
        return blobs().info(revision.name());
    }

    @Override
    public Mono<Map<String, String>> tags() {
        return context.delivered(new TagOperations(context).tags(revision.name()));
    }

    @Override
    public Mono<byte[]> download(UnaryOperator<DownloadSettings.Builder> settings) {
        return blobs().download(revision.name(), settings);
    }

    @Override
    public Mono<DownloadSettings.FileDownload> downloadTo(
            Path target, UnaryOperator<DownloadSettings.Builder> settings) {
        return blobs().downloadTo(revision.name(), target, settings);
    }

    @Override
    public Mono<BlobInfo> downloadTo(OutputStream target) {
        return blobs().downloadTo(revision.name(), target);
    }

    @Override
    public Flux<ByteBuffer> open() {
        return blobs().open(revision.name());
    }

    @Override
    public Mono<Void> promote() {
        return context.delivered(new RevisionOperations(context).promote(revision.name()));
    }

    @Override
    public Mono<WriteResult> delete() {
        return context.delivered(new RevisionOperations(context).delete(revision.name()));
    }

    @Override
    public String toString() {
        return "Reactive" + revision;
    }
}
