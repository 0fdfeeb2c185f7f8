package io.stowline.benchmarks.side.report;

/**
 * The cost of one item in one round.
 *
 * @param perSecond how many were done in a second
 * @param cpuMicros processor time of the whole process
 * @param bytes allocated by all threads
 * @param medianMicros the median latency, or NaN where it was not looked at
 * @param requests how many it took, or NaN where they were not counted
 * @param peakBytes the most memory in use at a time by all items together, or NaN where it was not looked at
 */
public record Figures(
        double perSecond, double cpuMicros, double bytes, double medianMicros, double requests, double peakBytes) {

    public Figures(double perSecond, double cpuMicros, double bytes, double medianMicros) {
        this(perSecond, cpuMicros, bytes, medianMicros, Double.NaN, Double.NaN);
    }

    /** Returns these figures with the memory of another process that did the same work. */
    public Figures withPeak(double peak) {
        return new Figures(perSecond, cpuMicros, bytes, medianMicros, requests, peak);
    }
}
