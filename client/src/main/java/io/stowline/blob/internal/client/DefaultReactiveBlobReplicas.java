package io.stowline.blob.internal.client;

import io.stowline.blob.CopySettings;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.ReactiveBlobDownload;
import io.stowline.blob.ReactiveBlobReplicas;
import io.stowline.blob.ReplicaReport;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.OpenedContent;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@link ReactiveBlobReplicas} that delivers its operations. */
record DefaultReactiveBlobReplicas(ReplicaOperations operations) implements ReactiveBlobReplicas {

    private BlobContext context() {
        return operations.replicas().source();
    }

    @Override
    public Mono<ReplicaReport> publish(String name, UnaryOperator<CopySettings.Builder> settings) {
        return context().delivered(Mono.defer(() -> operations.publish(name, settings)));
    }

    @Override
    public Mono<byte[]> download(String name, UnaryOperator<DownloadSettings.Builder> settings) {
        return context()
                .delivered(Mono.defer(() -> operations.reads().whole(name, ContainerView.downloading(settings))));
    }

    @Override
    public Mono<DownloadSettings.FileDownload> downloadTo(
            String name, Path target, UnaryOperator<DownloadSettings.Builder> settings) {
        return context().delivered(Mono.defer(() -> operations
                .reads()
                .file(name, ContainerView.downloading(settings), Objects.requireNonNull(target, "target"))));
    }

    @Override
    public Flux<ByteBuffer> open(String name, UnaryOperator<DownloadSettings.Builder> settings) {
        return context()
                .delivered(Flux.defer(() -> Flux.usingWhen(
                        operations.reads().opened(name, ContainerView.downloading(settings)),
                        OpenedContent::source,
                        content -> Mono.fromRunnable(content::close))));
    }

    @Override
    public Mono<ReactiveBlobDownload> openDownload(String name, UnaryOperator<DownloadSettings.Builder> settings) {
        return context().delivered(Mono.defer(() -> {
            DownloadSettings known = ContainerView.downloading(settings);
            return operations
                    .reads()
                    .opened(name, known)
                    .map(content -> new DefaultReactiveBlobDownload(
                            content, known.from(), context().delivered(content.once())));
        }));
    }

    @Override
    public Mono<ReplicaReport> remove(String name) {
        return context().delivered(operations.publication().remove(name));
    }

    @Override
    public String toString() {
        return "ReactiveBlobReplicas[" + operations.replicas() + "]";
    }
}
