package io.stowline.examples.load;

import io.stowline.examples.shared.Report;
import io.stowline.table.TableWriter;
import java.util.Locale;

/**
 * The end of a load.
 *
 * @param rows the rows of the input
 * @param rejected how many of them are not in the table
 * @param refused how many of those the service refused
 * @param resumedAt how many rows earlier processes had done
 * @param replayed how many of those the journal still had
 * @param sent the requests of this process
 * @param seconds the time of this process
 */
public record LoadResult(
        long rows, long rejected, long refused, long resumedAt, long replayed, TableWriter.Stats sent, double seconds) {

    /**
     * Returns the figures.
     *
     * @return a report, to which more can be added
     */
    public Report report() {
        Report report = new Report()
                .row("rows", "%,d", rows)
                .row("  loaded", "%,d", rows - rejected)
                .row("  rejected", "%,d", rejected);
        if (resumedAt > 0) {
            report.row("done by earlier processes", "%,d", resumedAt)
                    .row("  of these from the journal", "%,d", replayed);
        }
        return report.row("requests", "%,d", sent.requests())
                .row("  entities in each", "%.1f", perRequest(sent))
                .row("  retries", "%,d", sent.retries())
                .row("writing, s", "%.1f", seconds)
                .row("  rows/s", "%,.0f", (rows - resumedAt) / Math.max(seconds, 1e-3));
    }

    static double perRequest(TableWriter.Stats sent) {
        return sent.requests() == 0 ? 0 : (double) sent.operations() / sent.requests();
    }

    static String rows(long number) {
        return String.format(Locale.ROOT, "%,d rows", number);
    }
}
