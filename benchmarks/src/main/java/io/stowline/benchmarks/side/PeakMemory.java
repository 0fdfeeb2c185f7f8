package io.stowline.benchmarks.side;

import io.netty.util.internal.PlatformDependent;
import io.stowline.benchmarks.side.work.Task;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Objects;

/**
 * The most memory that is in use at a time: the heap after a collection, and the direct memory of the JVM's buffers and of those
 * that Netty allocates beside them. Not thread-safe.
 */
public final class PeakMemory {

    /** Samples between two collections. */
    private static final int SAMPLES = 20;

    private static final List<MemoryPoolMXBean> HEAP = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();
    private static final BufferPoolMXBean DIRECT = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();

    private long heap;
    private long peak;

    /**
     * Returns the peak of a task, sampled by a separate thread every millisecond, with a collection every twentieth
     * time.
     */
    public static long of(Task task) throws Exception {
        PeakMemory memory = new PeakMemory();
        Thread sampler = new Thread(memory::untilInterrupted, "peak-memory");
        sampler.setDaemon(true);
        sampler.start();
        try {
            task.run(0);
        } finally {
            sampler.interrupt();
            sampler.join();
        }
        return memory.bytes();
    }

    private void untilInterrupted() {
        try {
            do {
                collect();
                for (int i = 0; i < SAMPLES; i++) {
                    Thread.sleep(1);
                    sample();
                }
            } while (true);
        } catch (InterruptedException e) {
            // The task is over: so is its thread.
            Thread.currentThread().interrupt();
        }
    }

    /** Measures the heap after a collection. */
    void collect() {
        System.gc();
        heap = HEAP.stream()
                .map(MemoryPoolMXBean::getCollectionUsage)
                .filter(Objects::nonNull)
                .mapToLong(MemoryUsage::getUsed)
                .sum();
        sample();
    }

    private void sample() {
        // Netty counts only what the JVM does not; without such memory it returns -1.
        long direct = DIRECT.getMemoryUsed() + Math.max(0, PlatformDependent.usedDirectMemory());
        peak = Math.max(peak, heap + direct);
    }

    /** Returns the most so far; 0 without a sample. */
    long bytes() {
        return peak;
    }
}
