package io.stowline.blob.internal.client;

import io.stowline.blob.BlobDownload;
import io.stowline.blob.BlobReplicas;
import io.stowline.blob.CopySettings;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.ReactiveBlobReplicas;
import io.stowline.blob.ReplicaReport;
import io.stowline.blob.internal.base.FluxStream;
import io.stowline.blob.internal.base.OpenedContent;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** {@link BlobReplicas} that waits for its operations. */
record DefaultBlobReplicas(ReplicaOperations operations) implements BlobReplicas {

    @Override
    public ReactiveBlobReplicas reactive() {
        return new DefaultReactiveBlobReplicas(operations);
    }

    @Override
    public ReplicaReport publish(String name, UnaryOperator<CopySettings.Builder> settings) {
        return BlockingAwait.result(operations.publish(name, settings));
    }

    @Override
    public byte[] download(String name, UnaryOperator<DownloadSettings.Builder> settings) {
        return BlockingAwait.result(operations.reads().whole(name, ContainerView.downloading(settings)));
    }

    @Override
    public DownloadSettings.FileDownload downloadTo(
            String name, Path target, UnaryOperator<DownloadSettings.Builder> settings) {
        Objects.requireNonNull(target, "target");
        return BlockingAwait.result(operations.reads().file(name, ContainerView.downloading(settings), target));
    }

    @Override
    public InputStream open(String name, UnaryOperator<DownloadSettings.Builder> settings) {
        return stream(name, BlockingAwait.result(operations.reads().opened(name, ContainerView.downloading(settings))));
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // the caller closes it
    public BlobDownload openDownload(String name, UnaryOperator<DownloadSettings.Builder> settings) {
        DownloadSettings known = ContainerView.downloading(settings);
        OpenedContent content = BlockingAwait.result(operations.reads().opened(name, known));
        return new DefaultBlobDownload(content.info(), known.from(), content.length(), stream(name, content));
    }

    private static InputStream stream(String name, OpenedContent content) {
        return new FluxStream(content.source(), "the stream of a copy of " + name, content::close);
    }

    @Override
    public ReplicaReport remove(String name) {
        return BlockingAwait.result(operations.publication().remove(name));
    }

    @Override
    public String toString() {
        return "BlobReplicas[" + operations.replicas() + "]";
    }
}
