package io.stowline.benchmarks.side.work;

import java.util.Arrays;

/** The latencies of many operations. Keeps the first million of them. */
public final class Latencies {

    private final long[] nanos = new long[1_000_000];
    private int count;

    public void add(long took) {
        if (count < nanos.length) {
            nanos[count++] = took;
        }
    }

    public Task.Done done() {
        Arrays.sort(nanos, 0, count);
        return Task.Done.of(count, nanos[count / 2] / 1e3);
    }

    /** Does the same again and again, one after the other. */
    public static Task each(Step step) {
        return nanos -> {
            Latencies latencies = new Latencies();
            long end = System.nanoTime() + nanos;
            long now = System.nanoTime();
            long n = 0;
            do {
                step.run(n++);
                long then = System.nanoTime();
                latencies.add(then - now);
                now = then;
            } while (now < end);
            return latencies.done();
        };
    }

    /** A single measured operation. */
    @FunctionalInterface
    public interface Step {

        void run(long n) throws Exception;
    }
}
