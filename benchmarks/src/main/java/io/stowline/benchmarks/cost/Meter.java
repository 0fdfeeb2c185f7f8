package io.stowline.benchmarks.cost;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** The processor time and the allocation of this process. */
final class Meter {

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long cpu = SYSTEM.getProcessCpuTime();
    private final long bytes = allocated();
    private final long began = System.nanoTime();

    /** What so many operations have cost since then. */
    Cost over(long operations) {
        return new Cost(
                (SYSTEM.getProcessCpuTime() - cpu) / 1e3 / operations,
                (allocated() - bytes) / 1024.0 / operations,
                operations * 1e9 / (System.nanoTime() - began));
    }

    /** Of all threads that live; those of both clients live as long as the measurement. */
    private static long allocated() {
        return Arrays.stream(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds()))
                .filter(of -> of > 0)
                .sum();
    }

    /**
     * The cost of one operation.
     *
     * @param micros processor time
     * @param kilobytes allocated
     * @param perSecond how many were done in a second
     */
    record Cost(double micros, double kilobytes, double perSecond) {}
}
