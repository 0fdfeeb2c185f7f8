package io.stowline.transport.internal.http;

import io.stowline.retry.internal.gate.GateTimeoutException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * Whether an attempt's request may have reached the wire. It lies in the Reactor context of the attempt, where our HTTP client finds
 * it just before it writes; an attempt that failed before that cannot have been carried out. Another HTTP client tells nothing: from the
 * moment it is given the request it may have written it, unless the error that ended the attempt shows that there was no connection.
 */
public final class WriteTracker {

    /** A pool that had no connection to give; Reactor Netty has these errors in a package of its internals. */
    private static final String NO_CONNECTION_FREE = "PoolAcquire";

    private static final int DEEPEST_CAUSE = 20;

    /** What is known of the request; whether it is written or given up is decided once. */
    private enum State {
        PENDING,
        WRITTEN,
        ABANDONED
    }

    /** An error that arises before a request is given to the HTTP client. */
    public interface NothingSent {}

    private static final AtomicReferenceFieldUpdater<WriteTracker, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(WriteTracker.class, State.class, "state");

    private final boolean reporting;
    private volatile State state = State.PENDING;
    private volatile boolean complete;
    private volatile long lastByte;
    private volatile @Nullable Scheduler clock;
    private volatile @Nullable Runnable connection;
    private volatile @Nullable BodyFeed feed;
    private volatile @Nullable Standstill standstill;

    private WriteTracker(boolean reporting) {
        this.reporting = reporting;
    }

    /** An attempt over our own HTTP client, which tells when it writes. */
    public static WriteTracker reporting() {
        return new WriteTracker(true);
    }

    /** An attempt over an HTTP client that does not tell. */
    public static WriteTracker silent() {
        return new WriteTracker(false);
    }

    /** Whether the HTTP client is our own, which watches its connections. */
    public boolean ours() {
        return reporting;
    }

    /** The request is on its way to the HTTP client. */
    public void begin() {
        if (!reporting) {
            STATE.compareAndSet(this, State.PENDING, State.WRITTEN);
        }
    }

    /** It waits for what authorizes it, and nothing has left yet. */
    public void paused() {
        STATE.compareAndSet(this, State.WRITTEN, State.PENDING);
    }

    /**
     * It is about to be written.
     *
     * @return false if its attempt is over: then it must not be, for it counts as never written
     */
    public boolean markWritten() {
        return STATE.compareAndSet(this, State.PENDING, State.WRITTEN) || state == State.WRITTEN;
    }

    /** The body of a successful answer goes into this sink, unless there is none. */
    public WriteTracker feeding(@Nullable BodySink sink) {
        feed = sink == null ? null : new BodyFeed(sink, this);
        return this;
    }

    /** Its movements end this standstill, if there is one. */
    public WriteTracker counting(@Nullable Standstill given) {
        standstill = given;
        return this;
    }

    /** Some of its bytes have left, or some of its answer have arrived. */
    public void moved() {
        Standstill counted = standstill;
        if (counted != null) {
            counted.moved();
        }
    }

    /** What takes its answer has enough for now, so that nothing moves. */
    void pauses() {
        Standstill counted = standstill;
        if (counted != null) {
            counted.waits();
        }
    }

    /** What takes its answer goes on. */
    void resumed() {
        Standstill counted = standstill;
        if (counted != null) {
            counted.admitted();
        }
    }

    /** The way of the body of a successful answer, or {@code null} if it is read as an array. */
    public @Nullable BodyFeed feed() {
        return feed;
    }

    /** It goes out over a connection of ours. */
    public void carriedBy(Runnable reset) {
        connection = reset;
    }

    /** The attempt is over; what has not been written by now never will be, and what is on its way to the service ends with it. */
    public void abandon() {
        BodyFeed fed = feed;
        if (fed != null) {
            fed.close();
        }
        Runnable reset = connection;
        if (!STATE.compareAndSet(this, State.PENDING, State.ABANDONED) && reset != null) {
            connection = null;
            reset.run();
        }
    }

    /** Times are taken from this clock from now on. */
    public WriteTracker timedBy(Scheduler timer) {
        clock = timer;
        return this;
    }

    /** Its last byte has left. */
    public void markComplete() {
        moved();
        Scheduler timer = clock;
        if (timer != null) {
            lastByte = timer.now(TimeUnit.NANOSECONDS);
            complete = true;
        }
    }

    /** When its last byte left, or now if the HTTP client does not tell. */
    public long lastByte(long now) {
        return complete ? lastByte : now;
    }

    /** Whether the request may have been written, as far as is known. */
    public boolean written() {
        return state == State.WRITTEN;
    }

    /** The same once the attempt has ended with an error, which settles it. */
    public boolean endedBy(Throwable error) {
        if (!reporting && neverConnected(error)) {
            state = State.ABANDONED;
        }
        abandon();
        return written();
    }

    /** Whether the error itself says that there was no connection to write to, whatever the HTTP client. */
    private static boolean withoutConnection(Throwable error) {
        return error instanceof ConnectException
                || error instanceof UnknownHostException
                || error instanceof NoRouteToHostException
                || error instanceof SSLHandshakeException
                || error instanceof GateTimeoutException
                || error instanceof NothingSent;
    }

    private static boolean neverConnected(Throwable error) {
        Throwable cause = error;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (withoutConnection(cause) || cause.getClass().getSimpleName().startsWith(NO_CONNECTION_FREE)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
