package io.stowline.examples.quickstart;

import io.stowline.Stowline;
import io.stowline.examples.load.EntityTally;
import io.stowline.examples.load.LoadResult;
import io.stowline.examples.load.TableLoad;
import io.stowline.examples.shared.ProgressDisplay;
import io.stowline.examples.shared.Report;
import io.stowline.examples.shared.ScratchTable;
import io.stowline.table.Entity;
import io.stowline.table.Query;
import io.stowline.table.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A load into a table that is gone at the end. Everything is read back and compared with the source, and the figures are published.
 *
 * @param load the load
 * @param storage the account
 * @param cities whether the rows are cities
 * @param out where to show the figures
 */
record ProvenLoad(TableLoad load, Stowline storage, boolean cities, PrintStream out) {

    /** Returns the differences between the table and the source: none when all is well. */
    List<String> run() throws IOException, InterruptedException {
        try (ScratchTable<Entity> scratch = ScratchTable.create(storage, "quickstart", Entity.class)) {
            EntityTally source = new EntityTally();
            LoadResult result = load.into(scratch.table(), source);
            return prove(scratch.table(), source, result);
        }
    }

    private List<String> prove(Table<Entity> table, EntityTally source, LoadResult result) throws InterruptedException {
        SampleReads samples = new SampleReads(out, System::nanoTime);
        long start = System.nanoTime();
        EntityTally stored = readBack(table, source, samples);
        double reading = (System.nanoTime() - start) / 1e9;

        List<String> differences = new ArrayList<>(load.rejections(result));
        if (result.refused() == 0) {
            differences.addAll(source.differences(stored));
        }
        if (cities) {
            differences.addAll(samples.of(storage.table(table.name(), City.class)));
        }
        Report report = report(source, result, stored, reading);
        out.println();
        report.lines().forEach(out::println);
        out.println();
        differences.addAll(new Publication(storage, out).publish(stored, report));
        if (differences.isEmpty()) {
            out.println("All that was read back is the same as the source.");
        }
        return differences;
    }

    // A query by partition is the fast one, and four of them at a time, the default, are faster.
    private EntityTally readBack(Table<Entity> table, EntityTally source, SampleReads samples) {
        out.println("Reading everything back");
        EntityTally stored = new EntityTally();
        List<String> partitions = source.partitions();
        Query<Entity> query =
                partitions.isEmpty() ? table.query() : table.query().partitions(partitions);
        try (Stream<Entity> entities = query.stream();
                ProgressDisplay progress = ProgressDisplay.of(out, "Reading", source.total())) {
            entities.forEach(entity -> {
                stored.add(entity);
                if (cities) {
                    samples.see(entity);
                }
                progress.show(stored.total(), "");
            });
        }
        return stored;
    }

    private static Report report(EntityTally source, LoadResult result, EntityTally stored, double reading) {
        Runtime runtime = Runtime.getRuntime();
        return result.report()
                .row("entities read back", "%,d", stored.total())
                .row("  in partitions", "%,d", source.partitions().size())
                .row("  with perfect packing, requests", "%,d", source.fewestRequests())
                .row("reading back, s", "%.1f", reading)
                .row("  entities/s", "%,.0f", stored.total() / Math.max(reading, 1e-3))
                .row("checksum", "%s", stored.checksum())
                .row("heap taken, MiB", "%,d", runtime.totalMemory() >> 20)
                .row("  of at most", "%,d", runtime.maxMemory() >> 20);
    }
}
