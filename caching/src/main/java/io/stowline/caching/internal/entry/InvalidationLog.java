package io.stowline.caching.internal.entry;

import io.stowline.caching.internal.entry.CacheClock.ClockReading;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The invalidated resources, in bounded memory: the latest writes of 131,072 resources by resource, older ones in
 * 16,384 sets, and the last few prefixes. Two resources that are not distinguished cost each other a request, and never
 * a wrong response. A write of a resource without readers costs no reader anything.
 *
 * <p>A write without a response counts as two: one that has ended now, and one that ends at its horizon. Thread-safe.
 */
public final class InvalidationLog {

    private static final int SETS = 16_384;
    private static final int PREFIXES = 64;
    private static final int REQUESTED_BITS = 20;

    private final AtomicLong ended = new AtomicLong();
    private final AtomicReferenceArray<WriteSet> sets = new AtomicReferenceArray<>(SETS);
    private final AtomicIntegerArray requested = new AtomicIntegerArray(1 << (REQUESTED_BITS - 5));
    private volatile Gone gone = new Gone(PendingWrites.NONE, List.of());

    public InvalidationLog() {
        for (int set = 0; set < SETS; set++) {
            sets.set(set, WriteSet.NONE);
        }
    }

    /**
     * The last invalidated prefixes, and their number; of those without a response, the horizon until which nothing is
     * fresh.
     */
    private record Gone(PendingWrites writes, List<String> last) {

        boolean touchesSince(long seen, String resource) {
            long missed = writes.count() - seen;
            return missed > last.size()
                    || last.subList((int) (last.size() - missed), last.size()).stream()
                            .anyMatch(resource::startsWith);
        }
    }

    public InvalidationStamp stamp(String resource, ClockReading now) {
        request(resource);
        return new InvalidationStamp(ended.get(), gone.writes.count(), now);
    }

    /**
     * Counts writes of the resource from now on. It comes before the check for writes: a write that has not seen it has
     * ended before the load begins.
     */
    public void request(String resource) {
        int bit = bit(resource);
        if (!isRequested(bit)) {
            requested.accumulateAndGet(bit >>> 5, 1 << bit, (before, one) -> before | one);
        }
    }

    private boolean isRequested(int bit) {
        return (requested.get(bit >>> 5) & 1 << bit) != 0;
    }

    /**
     * Returns whether a response with this stamp may be served without a request: no write has ended since its load
     * began, nor may one yet take effect.
     */
    public boolean hold(String resource, InvalidationStamp stamp, ClockReading now) {
        return current(resource, stamp, now)
                && !writes(resource).mayFollow(stamp.begun())
                && !gone.writes.mayFollow(stamp.begun());
    }

    /**
     * Returns whether a read that begins now may share the result of a load with this stamp, and whether that may be
     * cached.
     */
    public boolean current(String resource, InvalidationStamp stamp, ClockReading now) {
        PendingWrites own = writes(resource);
        Gone prefixes = gone;
        return own.count() <= stamp.writes()
                && !own.mayEndBetween(stamp.begun(), now)
                && !prefixes.writes.mayEndBetween(stamp.begun(), now)
                && (prefixes.writes.count() == stamp.prefixes() || !prefixes.touchesSince(stamp.prefixes(), resource));
    }

    private PendingWrites writes(String resource) {
        long hash = hash(resource);
        return sets.get(set(hash)).of(hash);
    }

    /** Records the end of a write, which may take effect until the horizon, if that is not 0. */
    public void invalidate(String resource, long horizon, ClockReading now) {
        if (horizon != 0 || isRequested(bit(resource))) {
            long hash = hash(resource);
            long number = ended.incrementAndGet();
            sets.updateAndGet(set(hash), before -> before.and(hash, number, horizon, now));
        }
    }

    /**
     * Records the end of a write of everything below a name. Until a horizon nothing at all is fresh, so that it
     * concerns each read.
     */
    public synchronized void invalidateAll(String prefix, long horizon, ClockReading now) {
        List<String> last = new ArrayList<>(gone.last);
        if (last.size() == PREFIXES) {
            last.remove(0);
        }
        last.add(horizon == 0 ? prefix : "");
        gone = new Gone(gone.writes.and(gone.writes.count() + 1, horizon, now), List.copyOf(last));
    }

    private static long hash(String resource) {
        long hash = resource.length();
        for (int i = 0; i < resource.length(); i++) {
            hash = (hash + resource.charAt(i)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 32;
        }
        return hash;
    }

    private static int set(long hash) {
        return (int) (hash ^ hash >>> 40) & SETS - 1;
    }

    private static int bit(String resource) {
        return (resource.hashCode() * 0x9E3779B9) >>> (32 - REQUESTED_BITS);
    }

    /**
     * The state of the invalidations at the beginning of a load.
     *
     * @param writes the number of ended writes
     * @param prefixes the number of invalidated prefixes
     */
    public record InvalidationStamp(long writes, long prefixes, ClockReading begun) {

        /** Returns the stamp of an earlier process, before all writes of this one. */
        public static InvalidationStamp earlier(long wallMillis) {
            return new InvalidationStamp(0, 0, new ClockReading(-1, wallMillis));
        }

        /** Returns whether a load of this process made it. */
        public boolean ofThisProcess() {
            return begun.nanos() >= 0;
        }
    }

    /**
     * The writes of a resource, or of several, in the same memory however many they are. Of those whose end is open only the first and the last horizon are
     * known: between the two each moment may be one. Immutable.
     *
     * @param count the number of the last one that has ended, in the order of all writes
     * @param first the first horizon of those that were open together, in nanoseconds
     * @param last the last one; 0 if there was none
     */
    record PendingWrites(long count, long first, long last) {

        static final PendingWrites NONE = new PendingWrites(0, 0, 0);

        /** Returns these writes with one more, which may take effect until the horizon, if that is not 0. */
        PendingWrites and(long number, long horizon, ClockReading now) {
            long latest = Math.max(count, number);
            if (horizon == 0) {
                return new PendingWrites(latest, first, last);
            }
            return last > now.nanos()
                    ? new PendingWrites(latest, Math.min(first, horizon), Math.max(last, horizon))
                    : new PendingWrites(latest, horizon, horizon);
        }

        /** Returns these writes together with those of another resource. */
        PendingWrites and(PendingWrites other) {
            long latest = Math.max(count, other.count);
            if (last == 0 || other.last == 0) {
                return last == 0
                        ? new PendingWrites(latest, other.first, other.last)
                        : new PendingWrites(latest, first, last);
            }
            return new PendingWrites(latest, Math.min(first, other.first), Math.max(last, other.last));
        }

        /**
         * Returns whether these writes are remembered less exactly than the other ones: their horizon is over, or they
         * are older.
         */
        boolean isOlder(PendingWrites other, ClockReading now) {
            boolean open = last > now.nanos();
            boolean otherOpen = other.last > now.nanos();
            return open == otherOpen ? count < other.count : otherOpen;
        }

        /** Returns whether one of them may take effect after this moment. */
        boolean mayFollow(ClockReading begun) {
            return last != 0 && begun.nanos() < last;
        }

        /** Returns whether one of them may reach its horizon after the first moment and not after the second. */
        boolean mayEndBetween(ClockReading begun, ClockReading now) {
            return mayFollow(begun) && now.nanos() >= first && begun.nanos() < now.nanos();
        }
    }
}
