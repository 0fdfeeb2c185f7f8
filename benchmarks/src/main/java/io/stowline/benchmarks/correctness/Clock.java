package io.stowline.benchmarks.correctness;

/** The one clock of a seed's records, in nanoseconds; told in milliseconds since it began. */
final class Clock {

    private final long start = System.nanoTime();

    long now() {
        return System.nanoTime() - start;
    }

    static String shown(long nanos) {
        return nanos == Long.MAX_VALUE ? "never" : "%.1f ms".formatted(nanos / 1e6);
    }
}
