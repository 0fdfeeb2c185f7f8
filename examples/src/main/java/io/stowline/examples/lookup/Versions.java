package io.stowline.examples.lookup;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** When each version of a thing was certainly the present one no more; the first one is 0. Thread-safe. */
final class Versions {

    private final LongSupplier nanoTime;
    private final AtomicInteger last = new AtomicInteger();
    private final Map<Integer, Long> ends = new ConcurrentHashMap<>();

    /** Times are those of this clock. */
    Versions(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The version after the last one has been written. */
    void replaced() {
        ends.put(last.getAndIncrement(), nanoTime.getAsLong());
    }

    int last() {
        return last.get();
    }

    /** For how long the version had not been the present one at this time; zero if it may have been. */
    Duration outdated(int version, long nanos) {
        long end = ends.getOrDefault(version, nanos);
        return Duration.ofNanos(Math.max(0, nanos - end));
    }
}
