package io.stowline.examples.registrations;

import io.stowline.error.StorageException;
import io.stowline.examples.registrations.RunnerCsv.RowException;
import io.stowline.spring.boot.web.ProblemException;
import io.stowline.spring.boot.web.ProblemType;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import java.io.IOException;
import java.time.Clock;
import java.time.LocalDate;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * A controller that imports runners from CSV. One thread reads rows and hands them to the writer. When the writer is full the thread waits, reads nothing more,
 * and TCP holds the client back. However an import ends, each row that was read has its result in the report.
 */
@Component
class RunnerImports {

    private static final Logger LOG = LoggerFactory.getLogger(RunnerImports.class);

    private final TableWriter<Runner> writer;
    private final Races races;
    private final Validator validator;
    private final Table<ImportSummary> summaries;
    private final ImportSettings settings;
    private final Clock clock;
    private final Semaphore running;

    RunnerImports(
            TableWriter<Runner> writer,
            Races races,
            Validator validator,
            Table<ImportSummary> summaries,
            ImportSettings settings,
            Clock clock) {
        this.writer = writer;
        this.races = races;
        this.validator = validator;
        this.summaries = summaries;
        this.settings = settings;
        this.clock = clock;
        this.running = new Semaphore(settings.parallel());
    }

    /**
     * Begins an import, which has an id and a summary before the first row is read.
     *
     * @throws ProblemException if too many imports are running
     */
    ImportSummary begin() {
        if (!running.tryAcquire()) {
            throw new ProblemException(ProblemType.TOO_BUSY, settings.parallel() + " imports are running");
        }
        try {
            return created();
        } catch (RuntimeException e) {
            running.release();
            throw e;
        }
    }

    private ImportSummary created() {
        ImportSummary summary = new ImportSummary(
                LocalDate.now(clock).toString(), UUID.randomUUID().toString(), ImportState.RUNNING, 0, 0, 0, 0);
        summaries.insert(summary);
        return summary;
    }

    ImportSummary find(String day, String id) {
        return summaries
                .find(day, id)
                .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "there is no import " + day + "/" + id))
                .value();
    }

    /** Reads and writes all rows, and sends progress and a report. */
    ImportReport run(ImportSummary summary, RunnerCsv rows, ImportEvents events) {
        try {
            return importRows(summary, rows, events);
        } finally {
            running.release();
            events.complete();
        }
    }

    private ImportReport importRows(ImportSummary summary, RunnerCsv rows, ImportEvents events) {
        ImportTally tally = new ImportTally(settings);
        ImportState end = read(rows, tally, () -> {
            ImportReport progress = tally.report(ImportState.RUNNING);
            events.send("progress", summary.with(progress));
            return events.connected();
        });
        tally.awaitResults();
        ImportReport report = tally.report(end);
        LOG.info(
                "Import {} is {}: {} rows, {} written, {} rejected, {} unknown",
                summary.id(),
                report.state(),
                report.rows(),
                report.written(),
                report.rejected(),
                report.unknown());
        store(summary.with(report));
        events.send("report", report);
        return report;
    }

    /** The client has its report also if the summary cannot be stored. */
    private void store(ImportSummary summary) {
        try {
            summaries.insertOrReplace(summary);
        } catch (StorageException e) {
            LOG.warn("The summary of import {} is not stored", summary.id(), e);
        }
    }

    private ImportState read(RunnerCsv rows, ImportTally tally, BooleanSupplier progress) {
        try {
            boolean connected = true;
            while (connected) {
                try {
                    Runner runner = rows.next();
                    if (runner == null) {
                        return ImportState.COMPLETE;
                    }
                    write(runner, rows.line(), tally);
                } catch (RowException e) {
                    tally.reject(rows.line(), ProblemType.INVALID_INPUT, String.valueOf(e.getMessage()));
                }
                connected = tally.rows() % settings.progressRows() != 0 || progress.getAsBoolean();
            }
            return ImportState.DISCONNECTED;
        } catch (CSVException e) {
            tally.reject(rows.line() + 1, ProblemType.INVALID_INPUT, String.valueOf(e.getMessage()));
            return ImportState.MALFORMED;
        } catch (IOException e) {
            return ImportState.DISCONNECTED;
        } catch (RuntimeException e) {
            LOG.error("An import cannot go on", e);
            ProblemType type = ProblemType.of(e);
            tally.reject(rows.line(), type, type.detail());
            return ImportState.FAILED;
        }
    }

    private void write(Runner runner, long line, ImportTally tally) {
        String violations = validator.validate(runner).stream()
                .map(RunnerImports::text)
                .sorted()
                .collect(Collectors.joining("; "));
        if (!violations.isEmpty()) {
            tally.reject(line, ProblemType.INVALID_INPUT, violations);
            return;
        }
        try {
            races.check(runner);
        } catch (ProblemException | RegistrationClosedException e) {
            tally.reject(
                    line, ProblemType.INVALID_INPUT, String.valueOf(e.getBody().getDetail()));
            return;
        }
        tally.begin();
        try {
            writer.insert(runner).whenComplete((written, failure) -> tally.end(line, failure));
        } catch (RuntimeException e) {
            tally.end(line, e);
        }
    }

    private static String text(ConstraintViolation<Runner> violation) {
        return violation.getPropertyPath() + " " + violation.getMessage() + ", not "
                + InvalidInputAdvice.shown(violation.getInvalidValue());
    }
}
