package io.stowline.blob.internal.copy;

import io.stowline.blob.BlobCopy;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.CopyProgress;
import io.stowline.blob.ReactiveBlobCopy;
import io.stowline.error.internal.PrintableText;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.time.Duration;
import java.util.Optional;

/** {@link BlobCopy} that waits for its {@link PendingCopy}. */
public record DefaultBlobCopy(PendingCopy copy) implements BlobCopy {

    @Override
    public String name() {
        return copy.name();
    }

    @Override
    public String id() {
        return copy.id();
    }

    @Override
    public ReactiveBlobCopy reactive() {
        return new DefaultReactiveBlobCopy(copy);
    }

    @Override
    public CopyProgress progress() {
        return BlockingAwait.result(copy.progress());
    }

    @Override
    public BlobInfo join() {
        return BlockingAwait.result(copy.join());
    }

    @Override
    public Optional<BlobInfo> join(Duration atMost) {
        return Optional.ofNullable(BlockingAwait.on(copy.join(atMost)));
    }

    @Override
    public boolean abort() {
        return BlockingAwait.result(copy.abort());
    }

    @Override
    public String toString() {
        return PrintableText.of("BlobCopy[" + copy.context().resource(name()) + ", " + id() + "]");
    }
}
