package io.stowline.examples.registrations;

import io.stowline.spring.boot.web.ProblemType;
import java.util.List;

/**
 * The progress of an import. Each row that was read is written, rejected, of unknown outcome, or still in flight.
 *
 * @param state its state
 * @param rows the rows that it has read
 * @param written the rows that are registered now
 * @param rejected the rows that were not registered
 * @param unknown the rows for which nothing proves whether they are
 * @param problems the first rows that were not written for certain
 */
record ImportReport(
        ImportState state, long rows, long written, long rejected, long unknown, List<RowProblem> problems) {

    /**
     * A row that was not written for certain.
     *
     * @param line its line in the file
     * @param type what became of it
     * @param reason why
     */
    record RowProblem(long line, ProblemType type, String reason) {}
}
