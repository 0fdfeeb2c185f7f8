package io.stowline.benchmarks.scale;

import io.stowline.benchmarks.scale.model.AccountOutage;
import io.stowline.benchmarks.scale.model.ComparedPolicy;
import io.stowline.benchmarks.scale.model.RunFigures;

/**
 * The figures of one policy in one scenario.
 *
 * @param part the operations that they are of
 * @param goodput the entities that succeeded in a second, for each account
 * @param throttledShare the refused requests as a share of those sent
 * @param amplification the requests for each operation that succeeded
 * @param failedShare the operations that failed as a share of those that ended
 * @param fairness Jain's index of the clients' successes
 * @param medianMillis the median latency of successes
 * @param tailMillis the latency that one success of a hundred exceeds
 * @param recoverySeconds the seconds until 95 % of the goodput are back after an outage, or −1
 * @param peakDuring the most requests of a second in an outage, as a multiple of the target
 * @param peakAfter the most requests of a second after it, as a multiple of the target
 * @param servers the partition servers of an account at the end
 */
record ScaleResult(
        ScaleScenario scenario,
        ComparedPolicy policy,
        ResultPart part,
        double goodput,
        double throttledShare,
        double amplification,
        double failedShare,
        double fairness,
        double medianMillis,
        double tailMillis,
        int recoverySeconds,
        double peakDuring,
        double peakAfter,
        double servers) {

    private static final int NO_OUTAGE = -1;

    /** The operations that a result is of. */
    enum ResultPart {
        /** All operations, but for those of a hot partition. */
        ALL,
        /** The operations of the hot partition. */
        HOT
    }

    /** Sums the figures of a group up. */
    static ScaleResult of(
            ScaleScenario scenario, ComparedPolicy policy, ResultPart part, AccountGroup group, RunFigures figures) {
        return new ScaleResult(
                scenario,
                policy,
                part,
                figures.goodput() * group.work().entities() / group.runs().size(),
                figures.throttledShare(),
                figures.amplification(),
                figures.failedShare(),
                figures.fairness(),
                figures.latencyMillis(0.5),
                figures.latencyMillis(0.99),
                NO_OUTAGE,
                0,
                0,
                group.servers());
    }

    /** Returns the same figures with those of an outage. */
    ScaleResult with(AccountOutage outage, AccountGroup region, RunFigures figures) {
        return new ScaleResult(
                scenario,
                policy,
                part,
                goodput,
                throttledShare,
                amplification,
                failedShare,
                fairness,
                medianMillis,
                tailMillis,
                figures.recoverySeconds(outage),
                figures.maxSent(outage.begins(), outage.ends()) / region.operations(),
                figures.maxSent(outage.ends(), figures.seconds()) / region.operations(),
                servers);
    }
}
