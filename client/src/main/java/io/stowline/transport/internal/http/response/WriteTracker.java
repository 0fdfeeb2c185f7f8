package io.stowline.transport.internal.http.response;

import io.stowline.retry.internal.gate.GateTimeoutException;
import io.stowline.transport.internal.http.BodySink;
import io.stowline.transport.internal.http.Standstill;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * A tracker of whether an attempt's request may have reached the wire. It lies in the Reactor context of the attempt,
 * where the library's HTTP client finds it just before it writes; an attempt that failed before that cannot have been
 * carried out. Another HTTP client reports nothing: from the moment at which it gets the request it may have written it,
 * unless the error that ended the attempt shows that there was no connection.
 */
public final class WriteTracker {

    /** The errors of a pool without a free connection, which Reactor Netty has in an internal package. */
    private static final String NO_CONNECTION_FREE = "PoolAcquire";

    private static final int DEEPEST_CAUSE = 20;

    /** The state of the request; whether it is written or given up is decided once. */
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
    private volatile @Nullable ConnectionWait wait;

    /** The wait for a connection: made only where none is idle. */
    private static final class ConnectionWait {
        private final long since;
        private volatile long opened;

        ConnectionWait(long since) {
            this.since = since;
        }
    }

    private WriteTracker(boolean reporting) {
        this.reporting = reporting;
    }

    /** Returns the tracker of an attempt over the library's HTTP client, which reports its writes. */
    public static WriteTracker reporting() {
        return new WriteTracker(true);
    }

    /** Returns the tracker of an attempt over an HTTP client that does not report. */
    public static WriteTracker silent() {
        return new WriteTracker(false);
    }

    /** Returns whether the HTTP client is the library's, which watches its connections. */
    public boolean ours() {
        return reporting;
    }

    /** Records that the request is handed to the HTTP client. */
    public void begin() {
        if (!reporting) {
            STATE.compareAndSet(this, State.PENDING, State.WRITTEN);
        }
    }

    /**
     * Records that it is about to be written.
     *
     * @return false if its attempt is over: then it must not be, for it counts as never written
     */
    public boolean markWritten() {
        return STATE.compareAndSet(this, State.PENDING, State.WRITTEN) || state == State.WRITTEN;
    }

    /** Feeds the body of a successful response into this sink, unless there is none. */
    public void feedTo(@Nullable BodySink sink) {
        feed = sink == null ? null : new BodyFeed(sink, this);
    }

    /** Counts its movements in this standstill, if there is one. */
    public void countIn(@Nullable Standstill given) {
        standstill = given;
    }

    /** Counts bytes that have left, or that have arrived. */
    public void moved() {
        Standstill counted = standstill;
        if (counted != null) {
            counted.moved();
        }
    }

    /** Stops the time while the response body's consumer has enough. */
    void pauses() {
        Standstill counted = standstill;
        if (counted != null) {
            counted.waits();
        }
    }

    /** Continues the time, as the response body's consumer accepts bytes again. */
    void resumed() {
        Standstill counted = standstill;
        if (counted != null) {
            counted.admitted();
        }
    }

    /** Returns the way of the body of a successful response, or {@code null} if it is read as an array. */
    public @Nullable BodyFeed feed() {
        return feed;
    }

    /** Returns the bytes of the response that have reached the sink; 0 without one. */
    public long received() {
        BodyFeed fed = feed;
        return fed == null ? 0 : fed.received();
    }

    /** Sets the reset of the library's connection that carries it. */
    public void carriedBy(Runnable reset) {
        connection = reset;
    }

    /** Ends the attempt: an unwritten request never will be written, and one in flight ends with it. */
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

    /** Sets the clock for its times. */
    public void setClock(Scheduler timer) {
        clock = timer;
    }

    /** Records that it waits for a connection. */
    public void waitsForConnection() {
        Scheduler timer = clock;
        if (timer != null) {
            wait = new ConnectionWait(timer.now(TimeUnit.NANOSECONDS));
        }
    }

    /** Records that the connection for which it has waited was opened, or failed to. */
    public void connected() {
        ConnectionWait known = wait;
        Scheduler timer = clock;
        if (known != null && timer != null) {
            known.opened = timer.now(TimeUnit.NANOSECONDS) - known.since;
        }
    }

    /** Returns the nanoseconds for which it waited for a new connection; 0 without one. */
    public long connectNanos() {
        ConnectionWait known = wait;
        return known == null ? 0 : known.opened;
    }

    /** Records that its last byte has left. */
    public void markComplete() {
        moved();
        Scheduler timer = clock;
        if (timer != null) {
            lastByte = timer.now(TimeUnit.NANOSECONDS);
            complete = true;
        }
    }

    /** Returns the time at which its last byte left, or now if the HTTP client does not report it. */
    public long lastByte(long now) {
        return complete ? lastByte : now;
    }

    /** Returns whether the request may have been written, as far as it is known. */
    public boolean written() {
        return state == State.WRITTEN;
    }

    /** Settles the state of an attempt that has ended with an error, and returns it as {@link #written} does. */
    public boolean endedBy(Throwable error) {
        if (!reporting && neverConnected(error)) {
            state = State.ABANDONED;
        }
        abandon();
        return written();
    }

    /** True if the error itself shows, with any HTTP client, that there was no connection to write to. */
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
