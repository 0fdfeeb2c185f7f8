package io.stowline.transport.internal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * Whether an attempt's request may have reached the wire. It lies in the Reactor context of the attempt, where our HTTP client finds
 * it just before it writes; an attempt that failed before that cannot have been carried out. Another HTTP client tells nothing: from the
 * moment it is given the request it may have written it, unless the error that ended the attempt shows that there was no connection.
 */
final class Sending {

    /** A pool that had no connection to give; Reactor Netty has these errors in a package of its internals. */
    private static final String NO_CONNECTION_FREE = "PoolAcquire";

    private static final int DEEPEST_CAUSE = 20;

    /** What is known of the request; whether it is written or given up is decided once. */
    private enum State {
        PENDING,
        WRITTEN,
        ABANDONED
    }

    private final boolean told;
    private final AtomicReference<State> state = new AtomicReference<>(State.PENDING);
    private volatile boolean whole;
    private volatile long lastByte;
    private volatile @Nullable Scheduler clock;
    private volatile @Nullable Runnable connection;

    private Sending(boolean told) {
        this.told = told;
    }

    /** An attempt over our own HTTP client, which tells when it writes. */
    static Sending told() {
        return new Sending(true);
    }

    /** An attempt over an HTTP client that does not tell. */
    static Sending untold() {
        return new Sending(false);
    }

    /** The request is on its way to the HTTP client. */
    void begin() {
        if (!told) {
            state.compareAndSet(State.PENDING, State.WRITTEN);
        }
    }

    /** It waits for what authorizes it, and nothing has left yet. */
    void hold() {
        state.compareAndSet(State.WRITTEN, State.PENDING);
    }

    /**
     * It is about to be written.
     *
     * @return false if its attempt is over: then it must not be, for it counts as never written
     */
    boolean markWritten() {
        return state.compareAndSet(State.PENDING, State.WRITTEN) || state.get() == State.WRITTEN;
    }

    /** It goes out over a connection of ours. */
    void carriedBy(Runnable reset) {
        connection = reset;
    }

    /** The attempt is over; what has not been written by now never will be, and what is on its way to the service ends with it. */
    void abandon() {
        Runnable reset = connection;
        if (!state.compareAndSet(State.PENDING, State.ABANDONED) && reset != null) {
            connection = null;
            reset.run();
        }
    }

    /** Times are told by this clock from now on. */
    Sending timedBy(Scheduler timer) {
        clock = timer;
        return this;
    }

    /** Its last byte has left. */
    void markWhole() {
        Scheduler timer = clock;
        if (timer != null) {
            lastByte = timer.now(TimeUnit.NANOSECONDS);
            whole = true;
        }
    }

    /** When its last byte left, or now if nobody has told. */
    long lastByte(long now) {
        return whole ? lastByte : now;
    }

    /** Whether the request may have been written, as far as is known. */
    boolean written() {
        return state.get() == State.WRITTEN;
    }

    /** The same once the attempt has ended with an error, which settles it. */
    boolean endedBy(Throwable error) {
        if (!told && neverConnected(error)) {
            state.set(State.ABANDONED);
        }
        abandon();
        return written();
    }

    private static boolean neverConnected(Throwable error) {
        Throwable cause = error;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (StorageClassifier.neverConnected(cause)
                    || cause.getClass().getSimpleName().startsWith(NO_CONNECTION_FREE)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
