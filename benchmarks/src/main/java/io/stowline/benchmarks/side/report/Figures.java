package io.stowline.benchmarks.side.report;

/**
 * The cost of one item in one round.
 *
 * @param perSecond how many were done in a second
 * @param cpuMicros processor time of the whole process
 * @param bytes allocated by all threads
 * @param medianMicros the median latency, or NaN where it was not looked at
 * @param requests how many it took, or NaN where they were not counted
 */
public record Figures(double perSecond, double cpuMicros, double bytes, double medianMicros, double requests) {

    public Figures(double perSecond, double cpuMicros, double bytes, double medianMicros) {
        this(perSecond, cpuMicros, bytes, medianMicros, Double.NaN);
    }
}
