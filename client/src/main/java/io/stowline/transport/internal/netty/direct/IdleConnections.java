package io.stowline.transport.internal.netty.direct;

import io.netty.channel.EventLoop;
import io.stowline.transport.internal.netty.direct.DirectClient.ConnectionBounds;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The idle connections of a pool, the one that was used last on top, and when each of them expires: after the longest idle time or at the
 * greatest age. Guarded by the lock of its pool.
 */
final class IdleConnections {

    private final long maxIdle;
    private final long maxAge;
    private final Map<EventLoop, ArrayDeque<HttpConnection>> stacks = new HashMap<>();
    private long turns;

    /** Makes an empty list. */
    IdleConnections(ConnectionBounds bounds) {
        this.maxIdle = bounds.maxIdle().toMillis();
        this.maxAge = bounds.maxAge().toMillis();
    }

    /**
     * Takes the connection of this event loop that was used last, or else that of all loops.
     *
     * @param stale gets those that were passed over because they are closed or expired; they are idle no longer
     */
    @Nullable
    HttpConnection take(EventLoop near, long now, List<HttpConnection> stale) {
        HttpConnection found = takeUsable(stacks.get(near), now, stale);
        if (found != null) {
            return found;
        }
        for (ArrayDeque<HttpConnection> stack = usedLast(); found == null && stack != null; stack = usedLast()) {
            found = takeUsable(stack, now, stale);
        }
        return found;
    }

    private @Nullable ArrayDeque<HttpConnection> usedLast() {
        ArrayDeque<HttpConnection> last = null;
        for (ArrayDeque<HttpConnection> stack : stacks.values()) {
            if (!stack.isEmpty()
                    && (last == null || stack.getLast().turn() > last.getLast().turn())) {
                last = stack;
            }
        }
        return last;
    }

    private @Nullable HttpConnection takeUsable(
            @Nullable ArrayDeque<HttpConnection> stack, long now, List<HttpConnection> stale) {
        while (stack != null && !stack.isEmpty()) {
            HttpConnection last = stack.removeLast();
            if (last.usable() && !expired(last, now)) {
                return last;
            }
            stale.add(last);
        }
        return null;
    }

    /**
     * Adds a connection that becomes idle; returns its turn.
     *
     * @return when it expires
     */
    long add(HttpConnection connection, long now) {
        connection.idle(now, ++turns);
        stacks.computeIfAbsent(connection.eventLoop(), loop -> new ArrayDeque<>())
                .addLast(connection);
        return end(connection);
    }

    /** Removes a closed connection, if it is idle. */
    void remove(HttpConnection connection) {
        ArrayDeque<HttpConnection> stack = stacks.get(connection.eventLoop());
        if (stack != null) {
            stack.remove(connection);
        }
    }

    /**
     * Takes all that have expired.
     *
     * @param stale gets them
     */
    void takeExpired(long now, List<HttpConnection> stale) {
        for (ArrayDeque<HttpConnection> stack : stacks.values()) {
            stack.removeIf(connection -> expired(connection, now) && stale.add(connection));
        }
    }

    void clear() {
        stacks.clear();
    }

    int size() {
        return stacks.values().stream().mapToInt(ArrayDeque::size).sum();
    }

    /** Returns the time at which the first of them expires, or the greatest number if there are none. */
    long firstEnd() {
        long first = Long.MAX_VALUE;
        for (ArrayDeque<HttpConnection> stack : stacks.values()) {
            for (HttpConnection connection : stack) {
                first = Math.min(first, end(connection));
            }
        }
        return first;
    }

    /** Returns whether a connection has reached the greatest age, be it idle or not. */
    boolean old(HttpConnection connection, long now) {
        return now - connection.opened() >= maxAge;
    }

    private boolean expired(HttpConnection connection, long now) {
        return now - connection.idleSince() >= maxIdle || old(connection, now);
    }

    private long end(HttpConnection connection) {
        return Math.min(connection.idleSince() + maxIdle, connection.opened() + maxAge);
    }
}
