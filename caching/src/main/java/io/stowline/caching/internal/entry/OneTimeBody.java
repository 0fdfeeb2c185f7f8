package io.stowline.caching.internal.entry;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

/** A body that has to be taken or given back: one that the service is still sending, or a file that is open. */
public final class OneTimeBody implements CachedBody {

    private final long length;
    private final Flux<ByteBuffer> flux;
    private final Runnable untaken;
    private final boolean onShelf;
    private final AtomicBoolean taken = new AtomicBoolean();

    private OneTimeBody(long length, Flux<ByteBuffer> flux, Runnable untaken, boolean onShelf) {
        this.length = length;
        this.flux = flux;
        this.untaken = untaken;
        this.onShelf = onShelf;
    }

    /** Returns a body in transfer, which fails unless it has this length; -1 takes any. */
    public static OneTimeBody transfer(long length, Flux<ByteBuffer> flux) {
        return new OneTimeBody(length, BodyCollector.exactly(flux, length), () -> flux.subscribe(new Refusal()), false);
    }

    /** Returns a body in a file. */
    public static OneTimeBody file(long length, Flux<ByteBuffer> flux, Runnable close) {
        return new OneTimeBody(length, flux.doFinally(end -> close.run()), close, true);
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public boolean onShelf() {
        return onShelf;
    }

    @Override
    public Flux<ByteBuffer> flux() {
        return Flux.defer(() -> taken.compareAndSet(false, true)
                ? flux.map(ByteBuffer::asReadOnlyBuffer)
                : Flux.error(new IllegalStateException("the body of this response was taken before, or it is closed")));
    }

    /** Returns whether its one receiver has subscribed. */
    public boolean isTaken() {
        return taken.get();
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
