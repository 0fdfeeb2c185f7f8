package io.stowline.caching.internal;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

/** A body that somebody has to take or to give back: one that the service is still sending, or a file that is open. */
final class OneTimeBody implements Body {

    private final long length;
    private final Flux<ByteBuffer> flux;
    private final Runnable untaken;
    private final AtomicBoolean taken = new AtomicBoolean();

    private OneTimeBody(long length, Flux<ByteBuffer> flux, Runnable untaken) {
        this.length = length;
        this.flux = flux;
        this.untaken = untaken;
    }

    /** A transfer. One that nobody wants is begun and cancelled, for only so does the transport give its connection back. */
    static OneTimeBody transfer(long length, Flux<ByteBuffer> flux) {
        return new OneTimeBody(length, flux, () -> flux.subscribe(new Refusal()));
    }

    /** A file. */
    static OneTimeBody file(long length, Flux<ByteBuffer> flux, Runnable close) {
        return new OneTimeBody(length, flux.doFinally(end -> close.run()), close);
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public Flux<ByteBuffer> flux() {
        return Flux.defer(() -> taken.compareAndSet(false, true)
                ? flux.map(ByteBuffer::asReadOnlyBuffer)
                : Flux.error(new IllegalStateException("the body of this answer was taken before, or it is closed")));
    }

    @Override
    public void close() {
        if (taken.compareAndSet(false, true)) {
            untaken.run();
        }
    }

    private static final class Refusal extends BaseSubscriber<ByteBuffer> {

        @Override
        protected void hookOnSubscribe(Subscription transfer) {
            cancel();
        }
    }
}
