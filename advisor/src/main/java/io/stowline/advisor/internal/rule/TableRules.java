package io.stowline.advisor.internal.rule;

import static io.stowline.advisor.Severity.ADVICE;
import static io.stowline.advisor.Severity.ERROR;
import static io.stowline.advisor.Severity.WARNING;

import io.stowline.advisor.Threshold;
import io.stowline.advisor.internal.evidence.ContainerTally;
import io.stowline.advisor.internal.evidence.ContainerTraffic;
import io.stowline.advisor.internal.evidence.Hitter;
import io.stowline.advisor.internal.evidence.Snapshot;
import io.stowline.advisor.internal.evidence.Tally;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The rules of practices that concern writes of tables and the load of their partitions. */
final class TableRules {

    private static final ContainerTraffic NO_TABLE = new ContainerTraffic(-1, "table", "", Map.of(), 0, 0);
    private static final double NANOS_PER_MILLI = 1_000_000;
    private static final double MICROS_PER_MILLI = 1_000;
    private static final double MICROS_PER_SECOND = 1_000_000;
    private static final String ONE_PARTITION =
            "Nearly all writes of a busy table go to one partition, which cannot be spread.";
    private static final Hitter NO_PARTITION = new Hitter("", -1, 0, 0, 0, 0, 0, 0);

    private TableRules() {}

    /** Judges T1. */
    static Judgement targets(Snapshot traffic, Levels levels) {
        long attempts = traffic.count(Tally.TABLE_ATTEMPTS);
        long refused = traffic.count(Tally.TABLE_THROTTLED);
        long throttled = RefusedPartition.of(traffic, levels).others(refused, refused);
        Judgement.Builder judgement = levels.judge(attempts);
        // All tables together serve no less than those of one account, and an account no less than its tables.
        double busiest =
                traffic.accounts().isEmpty() ? 0 : traffic.accounts().get(0).weight() / traffic.seconds();
        return AccountRules.throttled(
                        judgement, throttled, attempts == 0 ? 0 : 1_000.0 * throttled / attempts, "a table")
                .over(
                        Threshold.ACCOUNT_ENTITIES,
                        "entities of one account written, returned and scanned",
                        Math.min(traffic.perSecond(Tally.ENTITIES), busiest),
                        ADVICE,
                        "Tables serve more than 60 % of what an account is made for; scanned entities count.")
                .build("Tables serve far less than their targets.");
    }

    /** Judges T6. */
    static Judgement hotPartition(Snapshot traffic, Levels levels) {
        List<Hitter> partitions = traffic.partitions();
        Hitter hot = partitions.isEmpty() ? NO_PARTITION : partitions.get(0);
        long entities = traffic.count(Tally.ENTITIES);
        RefusedPartition refused = RefusedPartition.of(traffic, levels);
        Judgement.Builder judgement = levels.judge(hot.weight());
        partitions.stream()
                .limit(5)
                .forEach(one -> judgement.object(Judgement.text(
                        "partition %s of %s: %.0f %% of the entities, %,.0f/s, %,d refusals",
                        one.name(),
                        traffic.container(one),
                        100.0 * one.weight() / Math.max(1, entities),
                        one.peak(),
                        one.throttled())));
        return judgement
                .over(
                        Threshold.PARTITION_ENTITIES,
                        "entities of the busiest partition",
                        hot.peak(),
                        ADVICE,
                        "One partition serves more than 60 % of what a partition is made for.")
                .overBoth(
                        Threshold.PARTITION_SHARE,
                        "refusals at the partition with most of them",
                        refused.share(),
                        Threshold.THROTTLED_OFTEN,
                        "its attempts refused for load",
                        refused.perThousand(),
                        WARNING,
                        Judgement.text(
                                "The service refuses attempts for load, and %.0f %% of the refusals hit one partition.",
                                refused.share()))
                .build("No partition is hot.");
    }

    /** Judges T12. */
    static Judgement transactions(Snapshot traffic, Levels levels) {
        long transactions = traffic.count(Tally.TRANSACTIONS);
        long singles = traffic.count(Tally.SINGLE_WRITES);
        long together = traffic.count(Tally.TRANSACTION_ENTITIES);
        double fill = transactions == 0 ? 0 : (double) together / transactions;
        boolean busy = levels.isOver(Threshold.WRITE_RATE, traffic.perSecond(Tally.TRANSACTION_ENTITIES), ADVICE);
        double shared = traffic.share(Tally.SHARED_TRANSACTIONS, Tally.TRANSACTIONS, 100);
        boolean couldShare = levels.isOver(Threshold.SHARED_WRITES, shared, ADVICE);
        List<Hitter> partitions = traffic.sharedWrites().stream()
                .filter(one -> levels.isOver(Threshold.SHARED_WRITES, singleShare(one), ADVICE))
                .toList();
        Hitter slowest = partitions.isEmpty() ? NO_PARTITION : partitions.get(0);
        Judgement.Builder judgement = levels.judge(transactions + singles);
        partitions.stream()
                .filter(one -> 10 * one.weight() > slowest.weight())
                .limit(3)
                .forEach(one -> judgement.object(Judgement.text(
                        "partition %s of %s: %,d entities one by one",
                        one.name(), traffic.container(one), one.attempts())));
        String oneByOne = Judgement.text(
                "Single writes within a second of one another to one partition: %,d of them, %.1f ms each; a transaction"
                        + " of 100 takes about the time of one.",
                slowest.attempts(), slowest.weight() / MICROS_PER_MILLI / Math.max(1, slowest.attempts()));
        return judgement
                .figure("half of the single writes ended within", traffic.singleWrite(0.5) / NANOS_PER_MILLI, "ms")
                .figure("99 of 100 single writes ended within", traffic.singleWrite(0.99) / NANOS_PER_MILLI, "ms")
                .figure("transactions within a second of another one to their partition", shared, "%")
                .under(
                        Threshold.TRANSACTION_FILL,
                        "operations of a transaction, on average",
                        fill,
                        busy && couldShare,
                        ADVICE,
                        "Transactions are thin: each has a tenth of what it can carry, or less.")
                .overBoth(
                        Threshold.SHARED_WRITES,
                        "single writes within a second of another one to their partition",
                        100.0 * traffic.count(Tally.SHARED_WRITES) / Math.max(1, singles + together),
                        Threshold.WRITE_RATE,
                        "single writes",
                        traffic.perSecond(Tally.SINGLE_WRITES),
                        ADVICE,
                        oneByOne)
                .overBoth(
                        Threshold.SHARED_WRITES,
                        "these writes in the partition where they take the most time",
                        singleShare(slowest),
                        Threshold.SINGLE_WRITE_TIME,
                        "their time in that of one thread",
                        100 * slowest.weight() / MICROS_PER_SECOND / traffic.seconds(),
                        ADVICE,
                        oneByOne)
                .build("Writes share transactions, or are few and take little time.");
    }

    private static double singleShare(Hitter partition) {
        return 100.0 * partition.attempts() / Math.max(1, partition.attempts() + partition.beside());
    }

    /** Judges T13. */
    static Judgement upserts(Snapshot traffic, Levels levels) {
        return levels.judge(traffic.count(Tally.SINGLE_WRITES))
                .over(
                        Threshold.READ_THEN_WRITE,
                        "writes without a condition after a read or a refused insert of their entity",
                        traffic.share(Tally.DECIDED_WRITES, Tally.SINGLE_WRITES, 100),
                        ADVICE,
                        "Entities are read, or inserted in vain, before they are written without a condition.")
                .build("Writes decide by themselves.");
    }

    /** Judges T17. */
    static Judgement keyWidth(Snapshot traffic, Levels levels) {
        ContainerTraffic table = traffic.containers("table").stream()
                .filter(one -> one.keyLengths() > 1)
                .max(Comparator.comparingDouble(TableRules::numeric))
                .or(() -> traffic.containers("table").stream()
                        .max(Comparator.comparingLong(one -> one.count(ContainerTally.ROW_KEYS))))
                .orElse(NO_TABLE);
        return levels.judge(table.count(ContainerTally.ROW_KEYS))
                .object("table " + table.name())
                .figure("lengths of row keys that are numbers", table.keyLengths(), "lengths")
                .over(
                        Threshold.NUMERIC_KEYS,
                        "row keys that are numbers of several lengths",
                        table.keyLengths() > 1 ? numeric(table) : 0,
                        ADVICE,
                        "Row keys are numbers without leading zeros: 10 comes before 9, so that ranges are wrong.")
                .build("Keys have a fixed width, or are no numbers.");
    }

    private static double numeric(ContainerTraffic table) {
        return table.percent(ContainerTally.NUMERIC_KEYS, ContainerTally.ROW_KEYS);
    }

    /** Judges T18. */
    static Judgement overlapping(Snapshot traffic, Levels levels) {
        long timeouts = traffic.count(Tally.TRANSACTION_TIMEOUTS);
        long all = traffic.count(Tally.TRANSACTIONS) + timeouts;
        return levels.judge(all)
                .over(
                        Threshold.TRANSACTION_TIMEOUTS,
                        "transactions that the service did not end in time",
                        all == 0 ? 0 : 100.0 * timeouts / all,
                        ADVICE,
                        "Transactions wait for one another: several in flight have entities of one partition.")
                .build(
                        traffic.clients().onlySdk()
                                ? "Transactions end in time."
                                : "Transactions end in time; a writer sends one of each partition at a time.");
    }

    /** Judges T20. */
    static Judgement limits(Snapshot traffic, Levels levels) {
        long writes = traffic.count(Tally.SINGLE_WRITES) + traffic.count(Tally.TRANSACTIONS);
        return levels.judge(writes + traffic.count(Tally.SIZE_REFUSALS), 1)
                .figure("writes refused for their size", traffic.count(Tally.SIZE_REFUSALS), "writes")
                .raise(traffic.count(Tally.SIZE_REFUSALS) > 0, ERROR, "The service refuses entities for their size.")
                .over(
                        Threshold.ENTITY_BYTES,
                        "largest entity",
                        traffic.largestEntity(),
                        ADVICE,
                        "An entity comes near the limit of 1 MiB.")
                .build("Entities are far from the limits of the model.");
    }

    /** Judges T21. */
    static Judgement granularity(Snapshot traffic, Levels levels) {
        ContainerTraffic table = traffic.containers("table").stream()
                .max(Comparator.comparingLong(one -> one.count(ContainerTally.WRITES)))
                .orElse(NO_TABLE);
        double rate = AccountRules.rate(table, traffic);
        return levels.judge(table.count(ContainerTally.WRITES))
                .object("table " + table.name())
                .overBoth(
                        Threshold.ONE_PARTITION,
                        "entities of the largest partition",
                        largest(traffic, table),
                        Threshold.WRITE_RATE,
                        "writes of the table",
                        rate,
                        ADVICE,
                        ONE_PARTITION)
                .overBoth(
                        Threshold.ONE_PARTITION,
                        "entities of the largest partition",
                        largest(traffic, table),
                        Threshold.SINGLE_WRITE_TIME,
                        "time of single writes within a second of another one, in that of one thread",
                        100 * table.count(ContainerTally.SHARED_MICROS) / MICROS_PER_SECOND / traffic.seconds(),
                        ADVICE,
                        ONE_PARTITION)
                .overBoth(
                        Threshold.ONE_ROW_PARTITIONS,
                        "partitions for each entity written",
                        table.percent(ContainerTally.NEW_PARTITIONS, ContainerTally.WRITES),
                        Threshold.WRITE_RATE,
                        "writes of the table",
                        rate,
                        ADVICE,
                        "Each entity has a partition alone, so that no two share a transaction.")
                .build(
                        "Partitions have several entities, and the table several partitions; or writes are few and take little time.");
    }

    private static double largest(Snapshot traffic, ContainerTraffic table) {
        long weight = traffic.partitions().stream()
                .filter(one -> one.container() == table.number())
                .mapToLong(Hitter::weight)
                .max()
                .orElse(0);
        return table.count(ContainerTally.UNITS) == 0 ? 0 : 100.0 * weight / table.count(ContainerTally.UNITS);
    }
}
