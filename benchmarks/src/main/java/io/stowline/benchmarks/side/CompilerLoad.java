package io.stowline.benchmarks.side;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/** The JIT compiler's part of the wall time since {@link #begin}. A compilation counts when it ends. */
public final class CompilerLoad {

    private final LongSupplier compiledMillis;
    private final LongSupplier nanoTime;
    private long compiled;
    private long began;

    /**
     * Measures.
     *
     * @param compiledMillis the time of all compilations so far
     * @param nanoTime the clock
     */
    CompilerLoad(LongSupplier compiledMillis, LongSupplier nanoTime) {
        this.compiledMillis = compiledMillis;
        this.nanoTime = nanoTime;
        begin();
    }

    /** Returns the load of this process, zero in a JVM without a compiler, or with one that does not time it. */
    public static CompilerLoad ofThisProcess() {
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        boolean timed = compiler != null && compiler.isCompilationTimeMonitoringSupported();
        return new CompilerLoad(timed ? compiler::getTotalCompilationTime : () -> 0, System::nanoTime);
    }

    void begin() {
        compiled = compiledMillis.getAsLong();
        began = nanoTime.getAsLong();
    }

    /** Returns the share: 0 for none; more than 1 if several threads compile. */
    double share() {
        return (compiledMillis.getAsLong() - compiled) * 1e6 / (nanoTime.getAsLong() - began);
    }
}
