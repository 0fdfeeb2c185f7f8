package io.stowline.testkit.stress;

import java.util.concurrent.atomic.AtomicLongArray;

/** Latencies in buckets whose width is 1/64 of their value, so that any number of them takes the same memory. Thread-safe. */
final class LatencyHistogram {

    private static final int SUB_BITS = 6;
    private static final int SUB_BUCKETS = 1 << SUB_BITS;

    private final AtomicLongArray buckets = new AtomicLongArray((Long.SIZE - SUB_BITS) * SUB_BUCKETS);

    void add(long nanos) {
        buckets.incrementAndGet(bucket(Math.max(0, nanos)));
    }

    void addAll(LatencyHistogram other) {
        for (int i = 0; i < buckets.length(); i++) {
            buckets.addAndGet(i, other.buckets.get(i));
        }
    }

    private static int bucket(long nanos) {
        if (nanos < SUB_BUCKETS) {
            return (int) nanos;
        }
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - SUB_BITS;
        return (exponent + 1) * SUB_BUCKETS + (int) (nanos >>> exponent) - SUB_BUCKETS;
    }

    /** Returns the least value of a bucket. */
    private static long value(int bucket) {
        if (bucket < SUB_BUCKETS) {
            return bucket;
        }
        int exponent = bucket / SUB_BUCKETS - 1;
        return (long) (bucket % SUB_BUCKETS + SUB_BUCKETS) << exponent;
    }

    /** Returns the latency in ms that a part of all, from 0 to 1, does not exceed, but for 1/64; 0 if there are none. */
    double millis(double part) {
        long all = 0;
        for (int i = 0; i < buckets.length(); i++) {
            all += buckets.get(i);
        }
        long rank = Math.max(1, (long) Math.ceil(part * all));
        long seen = 0;
        for (int i = 0; i < buckets.length(); i++) {
            seen += buckets.get(i);
            if (seen >= rank) {
                return value(i) / 1e6;
            }
        }
        return 0;
    }
}
