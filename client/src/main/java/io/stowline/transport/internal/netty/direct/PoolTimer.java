package io.stowline.transport.internal.netty.direct;

import io.netty.channel.EventLoop;
import io.stowline.transport.internal.netty.direct.DirectClient.ConnectionBounds;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** The one timer of a pool, which serves all checks that are due when it rings, or earlier. Guarded by the pool. */
final class PoolTimer {

    /** The least milliseconds between two checks. */
    static final long MIN_WAIT = 100;

    private final long longestWait;
    private final LongConsumer ring;
    private boolean set;
    /** The time of the next check, while it is set. */
    private long nextCheck;
    /** Scheduled checks; only the last of them counts. */
    private long checks;

    /**
     * A timer that is not set.
     *
     * @param ring takes the number of a check, on a loop and outside the lock of the pool
     */
    PoolTimer(ConnectionBounds bounds, LongConsumer ring) {
        this.longestWait =
                Math.min(bounds.maxIdle().toMillis(), bounds.acquireTimeout().toMillis()) / 2;
        this.ring = ring;
    }

    /** Sets it, unless it rings before. */
    @SuppressWarnings("FutureReturnValueIgnored") // cancelling would throw at the end of its loop
    void set(EventLoop loop, long now, long due) {
        long wait = Math.max(1, Math.min(longestWait, Math.max(MIN_WAIT, due - now)));
        if (set && nextCheck <= now + wait) {
            return;
        }
        long number = ++checks;
        try {
            loop.schedule(() -> ring.accept(number), wait, TimeUnit.MILLISECONDS);
            set = true;
            nextCheck = now + wait;
        } catch (RejectedExecutionException closing) {
            set = false;
        }
    }

    /** Returns whether the check with this number is the one that counts. */
    boolean isLast(long number) {
        return number == checks;
    }

    /** Notes that its checks are made. */
    void rung() {
        set = false;
    }
}
