package io.stowline.examples.probe;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;

/** The times of small calls, one after the other. Immutable. */
final class RoundTrips {

    private final long[] sorted;

    /** A small call. */
    @FunctionalInterface
    interface Call {

        /** Makes it. */
        void run() throws IOException;
    }

    private RoundTrips(long[] sorted) {
        this.sorted = sorted;
    }

    /** Makes calls and measures them. The first one, which may open a connection, does not count. */
    static RoundTrips measure(int calls, Call call, ProbeTime time) throws IOException {
        call.run();
        long[] times = new long[calls];
        for (int i = 0; i < calls; i++) {
            long begin = time.nanoTime();
            call.run();
            times[i] = time.nanoTime() - begin;
        }
        return of(times);
    }

    /** Returns the distribution of some times in nanoseconds. */
    static RoundTrips of(long... times) {
        long[] sorted = times.clone();
        Arrays.sort(sorted);
        return new RoundTrips(sorted);
    }

    Duration median() {
        return percentile(50);
    }

    /** Returns the time that this percentage of the calls did not exceed; zero if there was no call. */
    Duration percentile(int percent) {
        int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
        return sorted.length == 0 ? Duration.ZERO : Duration.ofNanos(sorted[Math.max(0, rank - 1)]);
    }
}
