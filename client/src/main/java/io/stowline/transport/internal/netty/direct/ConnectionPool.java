package io.stowline.transport.internal.netty.direct;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.stowline.transport.internal.netty.direct.DirectClient.ConnectionBounds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one origin. A request gets an idle one of {@link IdleConnections}; else it waits in FIFO order for the next that becomes
 * free, while new ones are opened up to the bound. Connections that have been idle or open for too long are closed. Nothing foreign runs under the lock.
 * Thread-safe.
 */
final class ConnectionPool {

    /** The opener of connections. */
    interface PooledOpener {

        /** Opens one on this loop, and ends the opening with it or with the failure once, unless it throws. */
        void open(EventLoop loop, Opening opening);
    }

    /** A connection on its way. */
    final class Opening {

        private final long since;
        private @Nullable HttpConnection connection;

        private Opening(long since) {
            this.since = since;
        }

        ConnectionPool pool() {
            return ConnectionPool.this;
        }

        /** Returns whether a request can still rely on it. */
        boolean prompt(long now) {
            return now - since < bounds.promptOpening().toMillis();
        }

        /** Returns the time from which it is not prompt. */
        long slowAt() {
            return since + bounds.promptOpening().toMillis();
        }

        /** Returns the connection that is not open yet, if it has begun; guarded by the pool. */
        @Nullable
        HttpConnection connection() {
            return connection;
        }

        /** Returns whether it counts: until its end, until it is given up or the pool is closed. */
        boolean wanted() {
            synchronized (lock) {
                return openings.contains(this);
            }
        }

        /** Takes the connection that is about to connect, and that ends with the opening. */
        void begun(HttpConnection made) {
            synchronized (lock) {
                connection = made;
            }
            if (!wanted()) {
                made.abort();
            }
        }

        /** Takes the opened connection, on its loop. */
        void opened(HttpConnection made) {
            PendingResponse next = null;
            boolean refused;
            synchronized (lock) {
                refused = !openings.remove(this);
                if (!refused) {
                    open.add(made);
                    next = nextOrIdle(made, millis.getAsLong());
                }
            }
            if (refused) {
                made.abort();
            } else {
                made.serve(PendingResponse.connected(next));
            }
        }

        /** Takes the failure of the opening, with which the request that waits longest fails, unless it was given up. */
        void failed(Throwable cause) {
            EventLoop loop = loops.next();
            PendingResponse first;
            Opening another;
            synchronized (lock) {
                if (!openings.remove(this)) {
                    return;
                }
                first = pollWaiting();
                another = opensAnother(loop, millis.getAsLong());
            }
            if (first != null) {
                first.unconnected(cause);
            }
            open(loop, another);
        }
    }

    /** The numbers of connections and requests of a pool at a moment. */
    record Census(int open, int opening, int idle, int waiting) {}

    private final HttpOrigin origin;
    private final EventLoopGroup loops;
    private final PooledOpener opener;
    private final ConnectionBounds bounds;
    private final LongSupplier millis;
    private final Object lock = new Object();
    private final IdleConnections idle;
    private final Set<HttpConnection> open = new HashSet<>();
    private final Set<PendingResponse> waiting = new LinkedHashSet<>();
    private final Openings openings = new Openings();

    private final PoolTimer timer;
    private boolean closed;

    /**
     * An empty pool.
     *
     * @param millis the wall clock, which goes on while the machine sleeps
     */
    ConnectionPool(
            HttpOrigin origin,
            EventLoopGroup loops,
            PooledOpener opener,
            ConnectionBounds bounds,
            LongSupplier millis) {
        this.origin = origin;
        this.loops = loops;
        this.opener = opener;
        this.bounds = bounds;
        this.millis = millis;
        this.idle = new IdleConnections(bounds);
        this.timer = new PoolTimer(bounds, this::check);
    }

    HttpOrigin origin() {
        return origin;
    }

    /** Finds a connection for a request, now or later. */
    void acquire(PendingResponse pending) {
        EventLoop near = loops.next();
        HttpConnection found = null;
        List<HttpConnection> stale = List.of();
        Opening another = null;
        boolean refused;
        synchronized (lock) {
            refused = closed;
            if (!refused && pending.waiting()) {
                long now = millis.getAsLong();
                stale = new ArrayList<>(0);
                found = idle.take(near, now, stale);
                stale.forEach(open::remove);
                if (found == null) {
                    pending.waitingSince(now);
                    waiting.add(pending);
                    another = opensAnother(near, now);
                    watch(near, now, Long.MAX_VALUE);
                }
            }
        }
        stale.forEach(HttpConnection::close);
        if (refused) {
            pending.fail(closedClient());
        } else if (found != null) {
            found.carry(pending);
        } else {
            open(near, another);
        }
    }

    /**
     * Called under the lock. The opening counts from now on. A slow opening keeps its place within the bound, but no
     * request relies on it alone.
     */
    private @Nullable Opening opensAnother(EventLoop loop, long now) {
        if (closed
                || waiting.size() <= openings.prompt(now)
                || open.size() + openings.size() >= bounds.maxConnections()) {
            return null;
        }
        Opening another = new Opening(now);
        openings.add(another);
        watch(loop, now, another.slowAt());
        return another;
    }

    /** Runs as a task of the loop: a failure that comes at once would else open the next one within itself. */
    private void open(EventLoop loop, @Nullable Opening opening) {
        if (opening == null) {
            return;
        }
        try {
            loop.execute(() -> {
                try {
                    opener.open(loop, opening);
                } catch (Throwable thrown) {
                    opening.failed(thrown);
                }
            });
        } catch (RejectedExecutionException closing) {
            opening.failed(closing);
        }
    }

    /**
     * Takes a connection back whose exchange has ended.
     *
     * @return the request that it carries next, or {@code null} if it is idle or closed
     */
    @Nullable
    PendingResponse release(HttpConnection connection) {
        synchronized (lock) {
            long now = millis.getAsLong();
            if (open.contains(connection) && !idle.old(connection, now)) {
                return nextOrIdle(connection, now);
            }
        }
        discard(connection);
        connection.close();
        return null;
    }

    private @Nullable PendingResponse nextOrIdle(HttpConnection connection, long now) {
        PendingResponse next = pollWaiting();
        if (next == null) {
            watch(connection.eventLoop(), now, idle.add(connection, now));
        }
        return next;
    }

    private @Nullable PendingResponse pollWaiting() {
        Iterator<PendingResponse> line = waiting.iterator();
        PendingResponse first = line.hasNext() ? line.next() : null;
        waiting.remove(first);
        return first;
    }

    /** Removes a connection that is closed, or about to be; another takes its place if requests wait. */
    void discard(HttpConnection connection) {
        EventLoop loop = loops.next();
        Opening another;
        synchronized (lock) {
            if (!open.remove(connection)) {
                return;
            }
            idle.remove(connection);
            another = opensAnother(loop, millis.getAsLong());
        }
        open(loop, another);
    }

    /** Removes a request that wants no connection now, and closes the openings that none waits for then. */
    void forget(PendingResponse pending) {
        EventLoop loop = loops.next();
        List<HttpConnection> unwanted;
        Opening another;
        synchronized (lock) {
            if (!waiting.remove(pending) || openings.size() == 0) {
                return;
            }
            long now = millis.getAsLong();
            unwanted = openings.giveUpSurplus(waiting.size(), now);
            another = opensAnother(loop, now);
        }
        unwanted.forEach(HttpConnection::abort);
        open(loop, another);
    }

    /** Called under the lock. */
    private void watch(EventLoop loop, long now, long due) {
        if (!closed) {
            timer.set(loop, now, due);
        }
    }

    private void check(long number) {
        synchronized (lock) {
            if (!timer.isLast(number)) {
                return;
            }
        }
        expire();
    }

    /**
     * Closes connections that are idle for too long, and fails requests that have waited too long. For those that wait beside slow openings
     * it opens one more.
     */
    void expire() {
        List<HttpConnection> stale = new ArrayList<>();
        List<HttpConnection> unwanted;
        List<PendingResponse> late = new ArrayList<>();
        EventLoop loop = loops.next();
        Opening another;
        synchronized (lock) {
            timer.rung();
            long now = millis.getAsLong();
            idle.takeExpired(now, stale);
            stale.forEach(open::remove);
            while (!waiting.isEmpty()
                    && now - waiting.iterator().next().waitingSince()
                            >= bounds.acquireTimeout().toMillis()) {
                late.add(pollWaiting());
            }
            unwanted = late.isEmpty() ? List.of() : openings.giveUpSurplus(waiting.size(), now);
            another = opensAnother(loop, now);
            if (!waiting.isEmpty() || !open.isEmpty() || openings.size() > 0) {
                watch(loop, now, Math.min(idle.firstEnd(), openings.firstSlow(now)));
            }
        }
        stale.forEach(HttpConnection::close);
        unwanted.forEach(HttpConnection::abort);
        open(loop, another);
        for (PendingResponse pending : late) {
            pending.fail(new TimeoutException("no connection to " + origin + " became free within "
                    + bounds.acquireTimeout().toSeconds() + " s"));
        }
    }

    /** Closes all connections, those that open as well. What waits or is in flight ends with an error, and so does what comes later. */
    void close() {
        List<HttpConnection> all;
        List<HttpConnection> unwanted;
        List<PendingResponse> refused;
        synchronized (lock) {
            closed = true;
            all = new ArrayList<>(open);
            open.clear();
            idle.clear();
            unwanted = openings.giveUpAll();
            refused = new ArrayList<>(waiting);
            waiting.clear();
        }
        all.forEach(HttpConnection::close);
        unwanted.forEach(HttpConnection::abort);
        for (PendingResponse pending : refused) {
            pending.fail(closedClient());
        }
    }

    static RejectedExecutionException closedClient() {
        return new RejectedExecutionException("the client is closed");
    }

    /** Returns its present numbers. */
    Census census() {
        synchronized (lock) {
            return new Census(open.size(), openings.size(), idle.size(), waiting.size());
        }
    }
}
