package io.stowline.benchmarks.engine;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/** A profiler that adds the processor time of the whole process, garbage collection included, for each call of a benchmark. */
public final class CpuProfiler implements InternalProfiler {

    private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private long before;

    /** Makes the profiler. */
    public CpuProfiler() {}

    @Override
    public String getDescription() {
        return "processor time of the process";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = process.getProcessCpuTime();
    }

    @Override
    public List<Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        long spent = process.getProcessCpuTime() - before;
        double perCall = (double) spent / result.getMetadata().getAllOps();
        return List.of(new ScalarResult("cpu.norm", perCall, "ns/op", AggregationPolicy.AVG));
    }
}
