package io.stowline.examples.lookup;

import io.stowline.caching.CacheOutcome;
import io.stowline.caching.CachedRead;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAccumulator;

/** How reads were answered, and which were older than allowed. Thread-safe. */
final class Tally {

    private static final int MOST_TOLD = 10;

    private final Duration allowed;
    private final Map<CacheOutcome, Long> outcomes = new ConcurrentHashMap<>();
    private final LongAccumulator oldest = new LongAccumulator(Math::max, 0);
    private final Queue<String> tooOld = new ConcurrentLinkedQueue<>();

    /** A read may be so old. */
    Tally(Duration allowed) {
        this.allowed = allowed;
    }

    /**
     * Counts a read. No version may have been outdated for longer than its age, which the cache tells, and none for longer than allowed. A
     * request that other readers had in flight may have begun earlier.
     *
     * @param name what was read
     * @param read how
     * @param outdated for how long another version had been there when the read began
     */
    void add(String name, CachedRead<?> read, Duration outdated) {
        outcomes.merge(read.outcome(), 1L, Long::sum);
        oldest.accumulate(outdated.toNanos());
        Duration most =
                read.outcome() == CacheOutcome.COLLAPSED || read.age().compareTo(allowed) < 0 ? read.age() : allowed;
        if (outdated.compareTo(most) > 0) {
            tooOld.add(name + ": " + read.outcome() + " of age " + read.age() + ", outdated for " + outdated
                    + "; allowed is " + allowed);
        }
    }

    long reads() {
        return outcomes.values().stream().mapToLong(Long::longValue).sum();
    }

    long reads(CacheOutcome outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }

    /** For how long the most outdated answer had been so. */
    Duration oldest() {
        return Duration.ofNanos(oldest.get());
    }

    /** The first reads that were too old. */
    List<String> tooOld() {
        return tooOld.stream().limit(MOST_TOLD).toList();
    }
}
