package io.stowline.examples.registrations;

import java.util.List;

/**
 * What an import has done. Each row that was read is written, rejected, of unknown outcome, or still in flight.
 *
 * @param state how far it has come
 * @param rows how many rows it has read
 * @param written how many of them are registered now
 * @param rejected how many were not registered
 * @param unknown for how many nothing proves whether they are
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
