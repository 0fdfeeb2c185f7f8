package io.stowline.blob.internal.client;

import io.stowline.access.BlobSasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.blob.ReactiveBlobRevision;
import io.stowline.blob.internal.copy.Promotion;
import io.stowline.blob.internal.operations.RevisionOperations;
import io.stowline.blob.internal.operations.TagOperations;
import io.stowline.error.internal.PrintableText;
import io.stowline.outcome.WriteResult;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@link ReactiveBlobRevision} that reads by the container at its id. */
final class DefaultReactiveBlobRevision extends RevisionView implements ReactiveBlobRevision {

    DefaultReactiveBlobRevision(RevisionView revision) {
        super(revision);
    }

    @Override
    public BlobSasBuilder<Mono<SharedAccessSignature>> sas() {
        return context.sas(name, context::delivered);
    }

    private ReactiveBlobContainer blobs() {
        return new DefaultReactiveBlobContainer(context);
    }

    @Override
    public Mono<BlobInfo> info() {
        return blobs().info(name);
    }

    @Override
    public Mono<Map<String, String>> tags() {
        return context.delivered(new TagOperations(context).tags(name));
    }

    @Override
    public Mono<byte[]> download(UnaryOperator<DownloadSettings.Builder> settings) {
        return blobs().download(name, settings);
    }

    @Override
    public Mono<DownloadSettings.FileDownload> downloadTo(
            Path target, UnaryOperator<DownloadSettings.Builder> settings) {
        return blobs().downloadTo(name, target, settings);
    }

    @Override
    public Mono<BlobInfo> downloadTo(OutputStream target) {
        return blobs().downloadTo(name, target);
    }

    @Override
    public Flux<ByteBuffer> open() {
        return blobs().open(name);
    }

    @Override
    public Mono<Void> promote() {
        return context.delivered(new Promotion(context, name).run());
    }

    @Override
    public Mono<WriteResult> delete() {
        return context.delivered(new RevisionOperations(context).delete(name));
    }

    @Override
    public String toString() {
        return PrintableText.of("ReactiveBlobRevision[" + context.resource(name) + "]");
    }
}
