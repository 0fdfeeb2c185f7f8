package io.stowline.advisor.internal.rule;

import io.stowline.advisor.Threshold;
import io.stowline.advisor.internal.evidence.Hitter;
import io.stowline.advisor.internal.evidence.Snapshot;
import io.stowline.advisor.internal.evidence.Tally;
import java.util.Comparator;

/**
 * The partition that most refusals for load hit. A busy partition and a busy account have one error code, and the text that names the account
 * comes for both. The place of the refusals decides: if most hit one partition, they count for it, and neither for its account nor for all
 * tables.
 *
 * @param refusals the attempts at it that the service refused for load
 * @param share their share in all refusals of tables, in percent
 * @param perThousand the refusals of a thousand attempts at it
 * @param isCause whether the refusals count for it
 */
record RefusedPartition(long refusals, double share, double perThousand, boolean isCause) {

    private static final RefusedPartition NONE = new RefusedPartition(0, 0, 0, false);

    static RefusedPartition of(Snapshot traffic, Levels levels) {
        long all = traffic.count(Tally.TABLE_THROTTLED);
        return traffic.partitions().stream()
                .filter(one -> one.throttled() > 0)
                .max(Comparator.comparingLong(Hitter::throttled))
                .map(one -> of(one, all, levels))
                .orElse(NONE);
    }

    private static RefusedPartition of(Hitter one, long all, Levels levels) {
        double share = 100.0 * one.throttled() / Math.max(1, all);
        double perThousand = 1_000.0 * one.throttled() / one.attempts();
        boolean isCause = one.attempts() >= levels.settings().minSamples()
                && share > levels.of(Threshold.PARTITION_SHARE)
                && perThousand > levels.of(Threshold.THROTTLED_OFTEN);
        return new RefusedPartition(one.throttled(), share, perThousand, isCause);
    }

    /**
     * Returns how many refusals are left for the account or the tables.
     *
     * @param number theirs
     * @param all all refusals, with those of the partition
     */
    long others(long number, long all) {
        return isCause ? Math.min(number, all - refusals) : number;
    }
}
