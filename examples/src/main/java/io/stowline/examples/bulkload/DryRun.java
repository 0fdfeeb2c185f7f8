package io.stowline.examples.bulkload;

import io.stowline.examples.shared.Report;
import io.stowline.table.Entity;
import io.stowline.transport.ScalabilityTargets;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads an input as a load would, sends nothing, and shows what the load would do. Used by one thread. */
final class DryRun {

    private static final int SHOWN = 5;
    private static final double HOT = 0.2;

    private final EntityMapper mapper;
    private final PrintStream out;
    private final ScalabilityTargets targets = ScalabilityTargets.everywhere();
    private final PartitionTally partitions = new PartitionTally(PartitionTally.CAPACITY);
    private final BatchEstimate batches = new BatchEstimate(targets);
    private final KeySet keys = new KeySet(KeySet.CAPACITY);
    private final List<String> examples = new ArrayList<>();
    private long rows;
    private long refused;

    DryRun(EntityMapper mapper, PrintStream out) {
        this.mapper = mapper;
        this.out = out;
    }

    /** Reads all rows, shows what would become of them, and returns how many would be refused. */
    long of(InputFile input) throws IOException {
        try (RowSource source = input.open()) {
            InputRow row = source.next();
            while (row != null) {
                see(row);
                row = source.next();
            }
        }
        show();
        return refused;
    }

    private void see(InputRow row) {
        rows++;
        try {
            Entity entity = mapper.entity(row);
            if (!keys.add(entity.partitionKey(), entity.rowKey())) {
                throw new RowRefusedException("an earlier row has the same keys");
            }
            partitions.add(entity.partitionKey());
            batches.add(entity.partitionKey(), row.text().length());
        } catch (RowRefusedException e) {
            refused++;
            if (examples.size() < SHOWN) {
                examples.add("  line " + row.line() + ": " + e.reason());
            }
        }
    }

    private void show() {
        long loaded = rows - refused;
        new Report()
                .row("rows", "%,d", rows)
                .row("  to be refused", "%,d", refused)
                .row("partitions", partitions.error() == 0 ? "%,d" : "more than %,d", partitions.size())
                .row("requests", "%,d", batches.requests())
                .row("  entities in each", "%.1f", batches.fill())
                .row("least time by the service's targets, s", "%.1f", batches.seconds())
                .lines()
                .forEach(out::println);
        if (!keys.isFull()) {
            out.println("All keys differ, except those of refused rows.");
        } else {
            out.printf(Locale.ROOT, "Only the first %,d keys were compared with each other.%n", KeySet.CAPACITY);
        }
        examples.forEach(out::println);
        if (loaded > 0) {
            showPartitions(loaded);
        }
    }

    private void showPartitions(long loaded) {
        List<PartitionTally.Count> largest = partitions.largest(SHOWN);
        out.println("Largest partitions" + (partitions.error() == 0 ? "" : ", at least"));
        for (PartitionTally.Count count : largest) {
            out.printf(
                    Locale.ROOT,
                    "  %-24s %,12d rows  %5.1f %%%n",
                    '"' + count.partition() + '"',
                    count.rows(),
                    100.0 * count.rows() / loaded);
        }
        double balanced = loaded / targets.accountEntities();
        if (!largest.isEmpty() && largest.get(0).rows() > HOT * loaded) {
            out.printf(
                    Locale.ROOT,
                    "Hot spot: one partition takes at most %,.0f entities a second, and holds every %.1fth row.%n",
                    targets.partitionEntities(),
                    (double) loaded / largest.get(0).rows());
        } else if (batches.seconds() > 2 * Math.max(1, balanced)) {
            out.printf(
                    Locale.ROOT,
                    "The input is sorted by partition, so that few partitions are busy at a time. Shuffled it could take %.1f s.%n",
                    Math.max(balanced, largest.get(0).rows() / targets.partitionEntities()));
        } else {
            out.println("No hot spot: no partition holds more than a fifth of the rows.");
        }
    }
}
