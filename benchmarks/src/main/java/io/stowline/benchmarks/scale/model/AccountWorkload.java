package io.stowline.benchmarks.scale.model;

import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The work that the clients of one account want done. Operations start at random times, whatever became of those before.
 *
 * @param clients the number of processes
 * @param partitions the number of partitions, of which each operation chooses one
 * @param ranges the number of servers at first
 * @param entities the entities of an operation
 * @param rate the entities that are wanted in a second, by the time in seconds
 * @param hotRate the entities that are wanted of one partition in addition
 * @param outage the outage of the account, or null
 * @param seconds the length of a run
 * @param measuredFrom the first second that counts
 */
public record AccountWorkload(
        int clients,
        int partitions,
        int ranges,
        int entities,
        DoubleUnaryOperator rate,
        double hotRate,
        @Nullable AccountOutage outage,
        int seconds,
        int measuredFrom) {

    /** Returns empty figures for so many accounts with this work. */
    public RunFigures figures(int accounts) {
        return new RunFigures(seconds, measuredFrom, seconds, clients * accounts);
    }
}
