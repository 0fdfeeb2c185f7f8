package io.stowline.benchmarks.correctness.subject;

import io.stowline.Stowline;
import io.stowline.batching.LeftoverException;
import io.stowline.batching.Submission;
import io.stowline.benchmarks.correctness.script.Change;
import io.stowline.benchmarks.correctness.script.Op;
import io.stowline.benchmarks.correctness.script.ReportedResult;
import io.stowline.journal.Journal;
import io.stowline.table.Entity;
import io.stowline.table.EntityWriteResult;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.TableWriter.RejectedOperation;
import io.stowline.table.WriterJournal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Two processes that share a journal. The first one ends in an outage, with operations that are accepted and not done; the second one
 * sends these. The first is closed without time to send, which leaves on disk what a killed one leaves: {@code JournalIT} kills real ones.
 */
final class JournaledTables {

    private static final long OUTAGE_MILLIS = 700;

    private final Supplier<Stowline> process;
    private final Function<Stowline, Table<Entity>> table;

    JournaledTables(Supplier<Stowline> process, Function<Stowline, Table<Entity>> table) {
        this.process = process;
        this.table = table;
    }

    /** Writes to single entities, and says what was reported of each in the first process or the second. */
    List<CompletableFuture<ReportedResult>> performAll(List<Op> ops) {
        Path folder = folder();
        List<CompletableFuture<EntityWriteResult>> first = first(folder, ops);
        List<RejectedOperation> rejected = new ArrayList<>();
        boolean over = second(folder, rejected);
        remove(folder);
        List<CompletableFuture<ReportedResult>> told = new ArrayList<>();
        for (int i = 0; i < ops.size(); i++) {
            Op op = ops.get(i);
            told.add(first.get(i).handle((written, error) -> told(op, written, error, rejected, over)));
        }
        return told;
    }

    private static Path folder() {
        try {
            return Files.createTempDirectory("ledger-journal");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A journal has no folders in its own. */
    private static void remove(Path folder) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<CompletableFuture<EntityWriteResult>> first(Path folder, List<Op> ops) {
        List<CompletableFuture<EntityWriteResult>> answers = new ArrayList<>();
        try (Journal journal = Journal.open(folder);
                Stowline storage = process.get()) {
            TableWriter<Entity> writer = table.apply(storage).writer(WriterJournal.of(journal), settings -> settings);
            for (Op op : ops) {
                Submission<EntityWriteResult> submission = StowlineTables.submit(writer, op.change());
                answers.add(submission.toFuture());
            }
            CompletableFuture<Void> all = CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
            // Past the beginning of the outage, unless all is done before.
            all.handle((done, error) -> true)
                    .completeOnTimeout(false, OUTAGE_MILLIS, TimeUnit.MILLISECONDS)
                    .join();
        }
        return answers;
    }

    /** Whether everything that was left has had its end. */
    private boolean second(Path folder, List<RejectedOperation> rejected) {
        try (Journal journal = Journal.open(folder);
                Stowline storage = process.get();
                TableWriter<Entity> writer =
                        table.apply(storage).writer(WriterJournal.of(journal), settings -> settings)) {
            boolean over = writer.awaitReplay().left() == 0;
            rejected.addAll(writer.rejected());
            return over;
        }
    }

    private static ReportedResult told(
            Op op,
            @Nullable EntityWriteResult written,
            @Nullable Throwable error,
            List<RejectedOperation> rejected,
            boolean over) {
        if (written != null) {
            return StowlineSubject.told(List.of(written));
        }
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        if (!(cause instanceof LeftoverException) && !(cause instanceof CancellationException)) {
            return StowlineSubject.told(Objects.requireNonNull(cause));
        }
        return rejected.stream()
                .filter(each -> isFor(each, op.change()))
                .findFirst()
                .map(each -> ReportedResult.of(
                        each.reason().startsWith("OutcomeUnknown")
                                ? ReportedResult.Sort.UNKNOWN
                                : ReportedResult.Sort.REFUSED,
                        each.reason()))
                .orElseGet(() -> over ? replayed(op.change()) : ReportedResult.of(ReportedResult.Sort.NEVER, "left"));
    }

    /** What has left the journal is done; a deletion that finds nothing is, too. */
    private static ReportedResult replayed(Change change) {
        return new ReportedResult(
                change.verb().isDelete() ? ReportedResult.Sort.ABSENT : ReportedResult.Sort.DONE,
                true,
                "",
                -1,
                "replayed");
    }

    private static boolean isFor(RejectedOperation rejected, Change change) {
        return rejected.partitionKey().equals(change.key().partition())
                && rejected.rowKey().equals(change.key().row())
                && (change.verb().isDelete()
                        ? rejected.verb().equals("delete")
                        : rejected.json().contains('"' + change.value() + '"'));
    }
}
