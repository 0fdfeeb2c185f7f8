package io.stowline.examples.registrations;

import io.stowline.examples.registrations.ImportReport.RowProblem;
import io.stowline.spring.boot.web.ProblemType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A tally of the rows of one import, which bounds how many of them are in flight. The thread of the import begins rows, callbacks of the writer end
 * them.
 */
final class ImportTally {

    private final int rowsInFlight;
    private final int shownProblems;
    private final Semaphore room;
    private final List<RowProblem> problems = new ArrayList<>();
    private long rows;
    private long written;
    private long rejected;
    private long unknown;

    ImportTally(ImportSettings settings) {
        this.rowsInFlight = settings.rowsInFlight();
        this.shownProblems = settings.shownProblems();
        this.room = new Semaphore(rowsInFlight);
    }

    /** Counts a row that goes to the writer, and waits while too many rows have no result. */
    void begin() {
        room.acquireUninterruptibly();
        synchronized (this) {
            rows++;
        }
    }

    /** Counts the result of a row, which has its room back whatever fails here: {@link #awaitResults} would never end. */
    void end(long line, @Nullable Throwable failure) {
        try {
            result(line, failure);
        } finally {
            room.release();
        }
    }

    private synchronized void result(long line, @Nullable Throwable failure) {
        if (failure == null) {
            written++;
        } else {
            ProblemType type = ProblemType.of(failure);
            count(new RowProblem(line, type, type.detail()));
        }
    }

    /** Counts a row that does not go to the writer. */
    synchronized void reject(long line, ProblemType type, String reason) {
        rows++;
        count(new RowProblem(line, type, reason));
    }

    private void count(RowProblem problem) {
        if (problem.type() == ProblemType.OUTCOME_UNKNOWN) {
            unknown++;
        } else {
            rejected++;
        }
        if (problems.size() < shownProblems) {
            problems.add(problem);
        }
    }

    /** Waits until each row has its result. */
    void awaitResults() {
        room.acquireUninterruptibly(rowsInFlight);
        room.release(rowsInFlight);
    }

    synchronized long rows() {
        return rows;
    }

    synchronized ImportReport report(ImportState state) {
        return new ImportReport(state, rows, written, rejected, unknown, List.copyOf(problems));
    }
}
