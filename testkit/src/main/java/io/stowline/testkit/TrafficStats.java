package io.stowline.testkit;

/**
 * The traffic statistics of a {@link FaultProxy}.
 *
 * @param connections how many connections clients opened
 * @param requests how many requests came whole
 * @param answers how many answers were sent whole, scripted ones included
 * @param bytesIn how many bytes clients sent, heads included
 * @param bytesOut how many bytes clients were sent, heads included
 */
public record TrafficStats(long connections, long requests, long answers, long bytesIn, long bytesOut) {

    /** Nothing. */
    public static final TrafficStats NONE = new TrafficStats(0, 0, 0, 0, 0);

    /**
     * Adds up.
     *
     * @param more what else went through
     * @return the sums
     */
    public TrafficStats plus(TrafficStats more) {
        return new TrafficStats(
                connections + more.connections,
                requests + more.requests,
                answers + more.answers,
                bytesIn + more.bytesIn,
                bytesOut + more.bytesOut);
    }
}
