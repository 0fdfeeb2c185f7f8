package io.stowline.benchmarks.engine;

import io.stowline.batching.internal.writer.PendingItem;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of one item in the engine, from its submit to its result, on two threads over 10,000 partitions; encoding
 * and sending are not in it.
 *
 * <p>A thread's time for an item is its CPU as long as no thread has to wait for the other one's turn, and more otherwise. Run with
 * {@code -prof gc} for the bytes.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Threads(2)
@Fork(
        value = 1,
        jvmArgs = {"-Xms2g", "-Xmx2g"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class SubmitCost {

    /** Makes the benchmark. */
    public SubmitCost() {}

    /** The engine that the threads share. */
    @State(Scope.Benchmark)
    public static class Shared {

        /** The waiting items of each partition; with none, each item is sent alone. */
        @Param({"0", "5", "20"})
        public int queued;

        private final AtomicInteger threads = new AtomicInteger();
        private Load load = new Load(0);

        /** Makes the state. */
        public Shared() {}

        /** Makes the engine. */
        @Setup
        public void open() {
            load = new Load(queued);
        }

        /** Empties the engine. */
        @TearDown
        public void close() {
            load.close();
        }
    }

    /** The submissions of one thread. */
    @State(Scope.Thread)
    public static class Own {

        private int thread;
        private long submitted;

        /** Makes the state. */
        public Own() {}

        /**
         * Distinguishes the thread from the others.
         *
         * @param shared what all threads share
         */
        @Setup
        public void number(Shared shared) {
            thread = shared.threads.getAndIncrement();
        }
    }

    /**
     * Submits one item.
     *
     * @param shared the engine
     * @param own what this thread has submitted
     * @return the submitted item
     */
    @Benchmark
    public PendingItem<String> submit(Shared shared, Own own) {
        return shared.load.submit(own.thread, own.submitted++);
    }
}
