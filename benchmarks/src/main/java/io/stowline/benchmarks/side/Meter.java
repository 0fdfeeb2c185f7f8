package io.stowline.benchmarks.side;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.stowline.benchmarks.side.report.Figures;
import io.stowline.benchmarks.side.work.Task;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/** The processor time and the allocation of this process from its making on. */
public final class Meter {

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Map<Long, Long> bytes = allocated();
    private final long cpu = SYSTEM.getProcessCpuTime();
    private final long began = System.nanoTime();

    /** Begins to measure. */
    public Meter() {}

    /** Returns the figures of the work that was done. */
    public Figures over(Task.Done done) {
        long nanos = System.nanoTime() - began;
        long cpuNanos = SYSTEM.getProcessCpuTime() - cpu;
        return new Figures(
                done.items() * 1e9 / nanos,
                cpuNanos / 1e3 / done.items(),
                (double) allocatedSince() / done.items(),
                done.medianMicros(),
                done.requests() < 0 ? Double.NaN : (double) done.requests() / done.items(),
                Double.NaN);
    }

    /**
     * Summed by thread: a sum over all would lose the bytes of a thread that has ended in between, and come out
     * negative.
     */
    private long allocatedSince() {
        long sum = 0;
        for (Map.Entry<Long, Long> now : allocated().entrySet()) {
            sum += now.getValue() - bytes.getOrDefault(now.getKey(), 0L);
        }
        return sum;
    }

    private static Map<Long, Long> allocated() {
        long[] ids = THREADS.getAllThreadIds();
        long[] of = THREADS.getThreadAllocatedBytes(ids);
        Map<Long, Long> bytes = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            if (of[i] >= 0) {
                bytes.put(ids[i], of[i]);
            }
        }
        return bytes;
    }
}
