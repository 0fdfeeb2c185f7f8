package io.stowline.caching.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Remembers what has been invalidated, in bounded memory: the writes of each stripe of resources, and the last few prefixes. Two resources of
 * one stripe cost each other a request, and never a wrong answer. A write of what nobody has asked for costs nobody anything.
 *
 * <p>A write without an answer is two: one that has ended now, and one that ends at its horizon. Thread-safe.
 */
final class Stamps {

    private static final int STRIPES = 4096;
    private static final int PREFIXES = 64;
    private static final int ASKED_BITS = 20;

    private final AtomicReferenceArray<Writes> writes = new AtomicReferenceArray<>(STRIPES);
    private final AtomicIntegerArray asked = new AtomicIntegerArray(1 << (ASKED_BITS - 5));
    private volatile Gone gone = new Gone(Writes.NONE, List.of());

    Stamps() {
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            writes.set(stripe, Writes.NONE);
        }
    }

    /** The last prefixes that were invalidated, and how many there have been; of those without an answer, until when nothing is fresh. */
    private record Gone(Writes writes, List<String> last) {

        boolean touchesSince(long seen, String resource) {
            long missed = writes.count() - seen;
            return missed > last.size()
                    || last.subList((int) (last.size() - missed), last.size()).stream()
                            .anyMatch(resource::startsWith);
        }
    }

    Stamp stamp(String resource, Moment now) {
        ask(resource);
        return new Stamp(writes.get(stripe(resource)).count(), gone.writes.count(), now);
    }

    /**
     * From now on writes of the resource count. It comes before the look at what has been written: a write that has not seen it has ended
     * before the load begins.
     */
    void ask(String resource) {
        int bit = bit(resource);
        if (!isAsked(bit)) {
            asked.accumulateAndGet(bit >>> 5, 1 << bit, (before, one) -> before | one);
        }
    }

    private boolean isAsked(int bit) {
        return (asked.get(bit >>> 5) & 1 << bit) != 0;
    }

    /** Whether an answer with this stamp may be given without asking: nothing has been written since its load began, nor may yet be. */
    boolean hold(String resource, Stamp stamp, Moment now) {
        return current(resource, stamp, now)
                && !writes.get(stripe(resource)).mayFollow(stamp.begun())
                && !gone.writes.mayFollow(stamp.begun());
    }

    /**
     * Whether a read that begins now may be given what a load with this stamp finds, and whether that may be kept. Once this is false it stays
     * false, so that of two loads of one key only the later one can be current.
     */
    boolean current(String resource, Stamp stamp, Moment now) {
        Writes own = writes.get(stripe(resource));
        Gone prefixes = gone;
        return own.count() == stamp.writes()
                && !own.mayEndBetween(stamp.begun(), now)
                && !prefixes.writes.mayEndBetween(stamp.begun(), now)
                && (prefixes.writes.count() == stamp.prefixes() || !prefixes.touchesSince(stamp.prefixes(), resource));
    }

    /** A write has ended; it may yet take effect until the horizon, if that is not 0. */
    void invalidate(String resource, long horizon, Moment now) {
        if (horizon != 0 || isAsked(bit(resource))) {
            writes.updateAndGet(stripe(resource), before -> before.and(horizon, now));
        }
    }

    /** The same of all that is below a name; until a horizon nothing at all is fresh, so that it concerns whatever is being read. */
    synchronized void invalidateAll(String prefix, long horizon, Moment now) {
        List<String> last = new ArrayList<>(gone.last);
        if (last.size() == PREFIXES) {
            last.remove(0);
        }
        last.add(horizon == 0 ? prefix : "");
        gone = new Gone(gone.writes.and(horizon, now), List.copyOf(last));
    }

    private static int stripe(String resource) {
        int hash = resource.hashCode();
        return (hash ^ hash >>> 16) & STRIPES - 1;
    }

    private static int bit(String resource) {
        return (resource.hashCode() * 0x9E3779B9) >>> (32 - ASKED_BITS);
    }
}
