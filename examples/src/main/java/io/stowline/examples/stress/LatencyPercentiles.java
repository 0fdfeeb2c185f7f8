package io.stowline.examples.stress;

import java.util.Arrays;

/** LatencyPercentiles of requests, of which percentiles are wanted. Thread-safe. */
final class LatencyPercentiles {

    private long[] nanos = new long[1 << 10];
    private int count;

    synchronized void add(long latency) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = latency;
    }

    /**
     * The latency that a part of all requests does not exceed.
     *
     * @param part from 0 to 1
     * @return milliseconds; 0 if there was no request
     */
    synchronized double millis(double part) {
        if (count == 0) {
            return 0;
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(part * count);
        return sorted[Math.max(0, rank - 1)] / 1e6;
    }
}
