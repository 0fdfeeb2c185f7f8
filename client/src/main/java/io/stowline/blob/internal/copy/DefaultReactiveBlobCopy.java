package io.stowline.blob.internal.copy;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.CopyProgress;
import io.stowline.blob.ReactiveBlobCopy;
import io.stowline.error.internal.PrintableText;
import java.time.Duration;
import reactor.core.publisher.Mono;

/** {@link ReactiveBlobCopy} over a {@link PendingCopy}. */
public record DefaultReactiveBlobCopy(PendingCopy copy) implements ReactiveBlobCopy {

    @Override
    public String name() {
        return copy.name();
    }

    @Override
    public String id() {
        return copy.id();
    }

    @Override
    public Mono<CopyProgress> progress() {
        return copy.context().delivered(copy.progress());
    }

    @Override
    public Mono<BlobInfo> join() {
        return copy.context().delivered(copy.join());
    }

    @Override
    public Mono<BlobInfo> join(Duration atMost) {
        return copy.context().delivered(copy.join(atMost));
    }

    @Override
    public Mono<Boolean> abort() {
        return copy.context().delivered(copy.abort());
    }

    @Override
    public String toString() {
        return PrintableText.of("ReactiveBlobCopy[" + copy.context().resource(name()) + ", " + id() + "]");
    }
}
