package io.stowline.caching.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Remembers what has been invalidated, in bounded memory: a count for each stripe of resources, and the last few prefixes. Two resources of one
 * stripe cost each other a request, and never a wrong answer.
 *
 * <p>A write without an answer is two: one that has ended now, and one that ends at its horizon. Thread-safe.
 */
final class Stamps {

    private static final int STRIPES = 4096;
    private static final int PREFIXES = 64;

    private final AtomicLongArray writes = new AtomicLongArray(STRIPES);
    private final AtomicLongArray horizons = new AtomicLongArray(STRIPES);
    private final Queue<Due> due = new PriorityQueue<>(Comparator.comparingLong(Due::nanos));
    private volatile long nextDue = Long.MAX_VALUE;
    private volatile Gone gone = new Gone(0, 0, List.of());

    /** An invalidation to come. */
    private record Due(long nanos, Runnable invalidation) {}

    /** The last prefixes that were invalidated, how many there have been, and until when nothing at all is fresh. */
    private record Gone(long count, long horizon, List<String> last) {

        boolean touchesSince(long seen, String resource) {
            long missed = count - seen;
            return missed > last.size()
                    || last.subList((int) (last.size() - missed), last.size()).stream()
                            .anyMatch(resource::startsWith);
        }
    }

    Stamp stamp(String resource, Moment now) {
        settle(now);
        return new Stamp(writes.get(stripe(resource)), gone.count, now);
    }

    /** Whether an answer with this stamp may be given without asking: nothing has been written since its load began, nor may yet be. */
    boolean hold(String resource, Stamp stamp, Moment now) {
        long horizon = Math.max(horizons.get(stripe(resource)), gone.horizon);
        return current(resource, stamp, now) && (horizon == 0 || stamp.begun().nanos() >= horizon);
    }

    /**
     * Whether a read that begins now may be given what a load with this stamp finds, and whether that may be kept. Once this is false it stays
     * false, so that of two loads of one key only the later one can be current.
     */
    boolean current(String resource, Stamp stamp, Moment now) {
        settle(now);
        Gone prefixes = gone;
        return writes.get(stripe(resource)) == stamp.writes()
                && (prefixes.count == stamp.prefixes() || !prefixes.touchesSince(stamp.prefixes(), resource));
    }

    /** A write has ended; it may yet take effect until the horizon, if that is not 0. */
    void invalidate(String resource, long horizon) {
        int stripe = stripe(resource);
        horizons.accumulateAndGet(stripe, horizon, Math::max);
        writes.incrementAndGet(stripe);
        later(horizon, () -> writes.incrementAndGet(stripe));
    }

    void invalidateAll(String prefix, long horizon) {
        goes(prefix, horizon);
        later(horizon, () -> goes(prefix, 0));
    }

    private synchronized void goes(String prefix, long horizon) {
        List<String> last = new ArrayList<>(gone.last);
        if (last.size() == PREFIXES) {
            last.remove(0);
        }
        last.add(prefix);
        gone = new Gone(gone.count + 1, Math.max(gone.horizon, horizon), List.copyOf(last));
    }

    private synchronized void later(long horizon, Runnable invalidation) {
        if (horizon != 0) {
            due.add(new Due(horizon, invalidation));
            nextDue = Math.min(nextDue, horizon);
        }
    }

    private void settle(Moment now) {
        if (now.nanos() >= nextDue) {
            settleDue(now);
        }
    }

    private synchronized void settleDue(Moment now) {
        for (Due first = due.peek(); first != null && now.nanos() >= first.nanos; first = due.peek()) {
            first.invalidation.run();
            due.remove();
        }
        Due first = due.peek();
        nextDue = first == null ? Long.MAX_VALUE : first.nanos;
    }

    private static int stripe(String resource) {
        int hash = resource.hashCode();
        return (hash ^ hash >>> 16) & STRIPES - 1;
    }
}
