package io.stowline.examples.probe;

/**
 * A reading of the counters of this process and machine.
 *
 * @param cpuNanos the processor time of this process, of all its threads
 * @param collectionMillis the time that pauses of garbage collections took
 * @param machine the share of the machine's processors in use since the reading before, 0 to 1; negative if unknown
 * @param attempts the attempts of requests that have ended
 * @param retries those that were not the first of their request
 * @param throttled those that the service refused for load
 * @param broken those whose connection failed, or that timed out
 */
record ClientReading(
        long cpuNanos,
        long collectionMillis,
        double machine,
        long attempts,
        long retries,
        long throttled,
        long broken) {}
