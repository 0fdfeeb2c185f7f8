package io.stowline.examples.load;

import io.stowline.examples.shared.Report;
import io.stowline.table.Entity;
import io.stowline.transport.ScalabilityTargets;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A run that reads an input as a load does, sends nothing, and shows partitions, hot spots and the rows to be refused. Used by one thread. */
final class DryRun {

    private static final int SHOWN = 5;
    private static final double HOT = 0.2;

    private final EntityMapper mapper;
    private final PrintStream out;
    private final ScalabilityTargets targets = ScalabilityTargets.everywhere();
    private final PartitionTally partitions = new PartitionTally(PartitionTally.CAPACITY);
    private final KeySet keys = new KeySet(KeySet.CAPACITY);
    private final List<String> examples = new ArrayList<>();
    private long rows;
    private long refused;

    DryRun(EntityMapper mapper, PrintStream out) {
        this.mapper = mapper;
        this.out = out;
    }

    /** Reads all rows, shows their effect, and returns how many would be refused. */
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
            keys.check(entity);
            partitions.add(entity.partitionKey());
        } catch (RowRefusedException e) {
            refused++;
            if (examples.size() < SHOWN) {
                examples.add("  line " + row.line() + ": " + e.getMessage());
            }
        }
    }

    private void show() {
        long loaded = rows - refused;
        List<PartitionTally.Count> largest = partitions.largest(SHOWN);
        long hottest = largest.isEmpty() ? 0 : largest.get(0).rows();
        new Report()
                .row("rows", "%,d", rows)
                .row("  to be refused", "%,d", refused)
                .row("partitions", partitions.error() == 0 ? "%,d" : "more than %,d", partitions.size())
                .row("requests, at least", "%,d", partitions.fewestRequests())
                .row(
                        "least time by the service's targets, s",
                        "%.1f",
                        Math.max(loaded / targets.accountEntities(), hottest / targets.partitionEntities()))
                .lines()
                .forEach(out::println);
        out.println(keys.described());
        examples.forEach(out::println);
        out.println("Largest partitions" + (partitions.error() == 0 ? "" : ", at least"));
        for (PartitionTally.Count count : largest) {
            out.printf(
                    Locale.ROOT,
                    "  %-24s %,12d rows  %5.1f %%%n",
                    '"' + count.partition() + '"',
                    count.rows(),
                    100.0 * count.rows() / loaded);
        }
        if (hottest > HOT * loaded) {
            out.printf(
                    Locale.ROOT,
                    "Hot spot: one partition takes at most %,.0f entities a second, and holds every %.1fth row.%n",
                    targets.partitionEntities(),
                    (double) loaded / hottest);
        } else {
            out.println("No hot spot: no partition holds more than a fifth of the rows.");
        }
    }
}
