package io.stowline.caching.internal.entry;

import io.stowline.caching.internal.entry.OverflowStore.StoreFault;
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

    /**
     * A transfer, which fails unless it has its length; -1 is any. One that no reader wants is begun and cancelled, for only so does the
     * transport give its connection back.
     */
    public static OneTimeBody transfer(long length, Flux<ByteBuffer> flux) {
        return new OneTimeBody(length, BodyCollector.exactly(flux, length), () -> flux.subscribe(new Refusal()), false);
    }

    /** A file. What it fails with because it cannot be read is a {@link StoreFault}. */
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
                : Flux.error(new IllegalStateException("the body of this answer was taken before, or it is closed")));
    }

    /** Whether its one receiver is there. */
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
