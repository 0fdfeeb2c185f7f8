package io.stowline.advisor.internal.evidence;

import java.util.Map;

/**
 * The traffic of one table, queue or container of blobs in a window.
 *
 * @param number the number that its {@link Hitter}s have
 * @param service {@code table}, {@code queue} or {@code blob}
 * @param name its name
 * @param counts its counters
 * @param keyLengths how many lengths its numeric row keys have
 * @param peak its entities or messages per second in the busiest part of the window
 */
public record ContainerTraffic(
        int number, String service, String name, Map<ContainerTally, Long> counts, int keyLengths, double peak) {

    /** Returns a counter. */
    public long count(ContainerTally tally) {
        return counts.getOrDefault(tally, 0L);
    }

    /** Returns the share of a counter in another one, in percent. */
    public double percent(ContainerTally tally, ContainerTally of) {
        return count(of) == 0 ? 0 : 100.0 * count(tally) / count(of);
    }
}
