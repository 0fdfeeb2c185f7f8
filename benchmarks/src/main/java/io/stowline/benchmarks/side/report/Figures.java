package io.stowline.benchmarks.side.report;

/**
 * The cost of one item in one round.
 *
 * @param perSecond how many were done in a second
 * @param cpuMicros processor time of the whole process
 * @param bytes allocated by all threads
 * @param medianMicros the median latency, or NaN where it was not looked at
 */
public record Figures(double perSecond, double cpuMicros, double bytes, double medianMicros) {}
