package io.stowline.benchmarks.scale.model;

import io.stowline.transport.StorageLimits;

/**
 * The capacity of an account and of its partition servers. The targets are Microsoft's, see {@link StorageLimits}. Microsoft publishes no
 * figure of a partition server: the others are assumptions.
 *
 * @param account the entities of an account in a second
 * @param partition the entities of a partition in a second
 * @param server the entities of a partition server in a second
 * @param queueSeconds the longest queue of a server; a request beyond it is refused
 * @param refusalShare the cost of a refusal, as a share of a request's work
 * @param splitLoad the share of a server's capacity above which its range is split
 * @param splitAfterSeconds the time for which the load has to be that high
 * @param splitSeconds the duration of a split
 * @param moveSeconds the time for which a moved range refuses all requests
 * @param mergeLoad the share of a server's capacity below which two ranges become one
 * @param mergeAfterSeconds the time for which the load has to be that low
 * @param roundTripSeconds the way of a request and its response
 */
public record ServiceCapacity(
        int account,
        int partition,
        int server,
        double queueSeconds,
        double refusalShare,
        double splitLoad,
        int splitAfterSeconds,
        int splitSeconds,
        int moveSeconds,
        double mergeLoad,
        int mergeAfterSeconds,
        double roundTripSeconds) {

    private static final int SERVERS_OF_A_BUSY_ACCOUNT = 8;

    /** Returns the capacity that the figures are made with. */
    public static ServiceCapacity standard() {
        return new ServiceCapacity(
                StorageLimits.ACCOUNT_REQUESTS_PER_SECOND,
                StorageLimits.PARTITION_ENTITIES_PER_SECOND,
                StorageLimits.ACCOUNT_REQUESTS_PER_SECOND / SERVERS_OF_A_BUSY_ACCOUNT,
                1,
                0.05,
                0.8,
                60,
                60,
                5,
                0.2,
                600,
                0.004);
    }

    /** Returns the same capacity with another cost of refusals. */
    public ServiceCapacity withRefusalShare(double share) {
        return new ServiceCapacity(
                account,
                partition,
                server,
                queueSeconds,
                share,
                splitLoad,
                splitAfterSeconds,
                splitSeconds,
                moveSeconds,
                mergeLoad,
                mergeAfterSeconds,
                roundTripSeconds);
    }

    /** Returns the number of servers that carry an account's target. */
    int servers() {
        return (account + server - 1) / server;
    }
}
