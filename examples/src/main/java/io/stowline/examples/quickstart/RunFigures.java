package io.stowline.examples.quickstart;

import io.stowline.examples.shared.Report;
import io.stowline.table.TableWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What the job came to.
 *
 * @param entities how many entities were written
 * @param partitions in how many partitions
 * @param sent what the writer needed for it
 * @param fewest the write requests of perfect packing
 * @param writing how long the writing took
 * @param reading how long the reading back took
 * @param checksum the checksum over all that was read back
 */
record RunFigures(
        long entities,
        int partitions,
        TableWriter.Stats sent,
        long fewest,
        Duration writing,
        Duration reading,
        long checksum) {

    /**
     * Whether the packing is as it should be: at most one request more than needed in each partition. Says nothing when
     * requests were repeated.
     */
    List<String> differences() {
        long most = fewest + partitions;
        return sent.retries() > 0 || sent.requests() <= most
                ? List.of()
                : List.of(String.format(Locale.ROOT, "write requests: %,d, not at most %,d", sent.requests(), most));
    }

    Report report() {
        return new Report()
                .row("entities", "%,d", entities)
                .row("partitions", "%,d", partitions)
                .row("write requests", "%,d", sent.requests())
                .row("  with perfect packing", "%,d", fewest)
                .row("  retries", "%,d", sent.retries())
                .row("  entities in each", "%.1f", each((double) sent.requests()))
                .row("writing, s", "%.1f", seconds(writing))
                .row("  entities/s", "%,.0f", each(seconds(writing)))
                .row("reading back, s", "%.1f", seconds(reading))
                .row("  entities/s", "%,.0f", each(seconds(reading)))
                .row("checksum", "%016x", checksum);
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    private double each(double of) {
        return of == 0 ? 0 : entities / of;
    }
}
