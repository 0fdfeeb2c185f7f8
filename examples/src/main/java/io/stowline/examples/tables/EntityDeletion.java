package io.stowline.examples.tables;

import io.stowline.examples.shared.JobFailedException;
import io.stowline.examples.shared.ProgressDisplay;
import io.stowline.examples.shared.Report;
import io.stowline.projection.filter.Filter;
import io.stowline.table.Entity;
import io.stowline.table.Query;
import io.stowline.table.Query.DeletionReport;
import io.stowline.table.ScanPolicy;
import io.stowline.table.Table;
import io.stowline.table.transfer.TableTransferSettings;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A deletion of the entities that the options choose. It deletes some at a time, so that it keeps a rate and shows its progress; after a kill
 * the same command deletes the rest.
 *
 * @param options which ones
 * @param out where it writes its progress
 */
record EntityDeletion(TableCommandOptions options, PrintStream out) {

    /** Ten full transactions. */
    private static final int STEP = 1_000;

    List<String> from(Table<Entity> table) throws InterruptedException {
        Query<Entity> query = query(table.withScanPolicy(ScanPolicy.ALLOW), options.scope());
        if (options.dryRun()) {
            out.println(new Report()
                    .row("would be deleted", "%,d", query.count())
                    .lines()
                    .get(0));
            return List.of();
        }
        delete(query);
        return List.of();
    }

    private static Query<Entity> query(Table<Entity> table, TableTransferSettings scope) {
        Query<Entity> query = table.query();
        if (scope.partition().isPresent()) {
            query = query.partition(scope.partition().get());
        }
        if (scope.partitionPrefix().isPresent()) {
            query = query.where(
                    Filter.partitionKey().startsWith(scope.partitionPrefix().get()));
        }
        if (scope.rowPrefix().isPresent()) {
            query = query.rowPrefix(scope.rowPrefix().get());
        }
        return scope.where().isPresent() ? query.where(scope.where().get()) : query;
    }

    private void delete(Query<Entity> query) throws InterruptedException {
        Integer rate = options.rate();
        int step = rate == null ? STEP : Math.min(STEP, rate);
        long began = System.nanoTime();
        long gone = 0;
        DeletionReport last;
        try (ProgressDisplay progress = ProgressDisplay.of(out, "Deleting", ProgressDisplay.UNKNOWN)) {
            do {
                last = query.limit(step).deleteAll();
                gone += last.deleted() + last.missing();
                double seconds = Math.max(1, System.nanoTime() - began) / 1e9;
                progress.show(gone, String.format(Locale.ROOT, "%,d rows  %,.0f/s", gone, gone / seconds));
                if (rate != null) {
                    TimeUnit.MILLISECONDS.sleep(Math.max(0, (long) (1_000 * (gone / (double) rate - seconds))));
                }
            } while (last.deleted() + last.missing() > 0);
        }
        double seconds = Math.max(1, System.nanoTime() - began) / 1e9;
        new Report()
                .row("deleted", "%,d", gone)
                .row("seconds", "%.1f", seconds)
                .row("  rows/s", "%,.0f", gone / seconds)
                .lines()
                .forEach(out::println);
        if (last.changed() > 0) {
            throw new JobFailedException(last.changed() + " entities stay: another client changes them all the time");
        }
    }
}
