package io.stowline.system.ledger.subject;

import io.stowline.Stowline;
import io.stowline.journal.Journal;
import io.stowline.outcome.WriteResult;
import io.stowline.system.ledger.script.Change;
import io.stowline.system.ledger.script.ClosingPoint;
import io.stowline.system.ledger.script.Op;
import io.stowline.system.ledger.script.ReportedResult;
import io.stowline.table.Entity;
import io.stowline.table.LeftoverException;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.TableWriter.RejectedOperation;
import io.stowline.table.TableWriter.ReplayReport;
import io.stowline.table.WriterJournal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Two processes that share a journal. The first one ends in an outage, with operations that are accepted and not done; the second one
 * sends these. The first is closed without time to send, or is a process of the system that is killed at its {@link ClosingPoint}.
 */
final class JournaledTables {

    private static final long OUTAGE_MILLIS = 700;

    private final StowlineConnection connection;
    private final String name;
    private final ClosingPoint closing;

    JournaledTables(StowlineConnection connection, String name, ClosingPoint closing) {
        this.connection = connection;
        this.name = name;
        this.closing = closing;
    }

    /** Writes to single entities, and says what was reported of each in the first process or the second. */
    List<CompletableFuture<ReportedResult>> performAll(List<Op> ops) {
        Path folder = folder();
        List<CompletableFuture<Optional<ReportedResult>>> first = ops.get(0).isCutShort()
                ? new KilledProcess(closing).write(connection, name, folder, ops)
                : closed(folder, ops);
        long left = first.stream()
                .filter(reported -> reported.isDone() && reported.join().isEmpty())
                .count();
        List<RejectedOperation> rejected = new ArrayList<>();
        ReplayReport replay = second(folder, rejected);
        boolean over = replay.left() == 0;
        // The process ended before its journal forgot operations whose results it had reported, and they went again.
        boolean again = replay.total() > left;
        remove(folder);
        List<CompletableFuture<ReportedResult>> told = new ArrayList<>();
        for (int i = 0; i < ops.size(); i++) {
            Op op = ops.get(i);
            told.add(
                    first.get(i).thenApply(reported -> reported.map(result -> again ? result.perhapsRepeated() : result)
                            .orElseGet(() -> replayed(op, rejected, over))));
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

    /** A journal has no folders inside. */
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

    /** Takes only the results of a process that is closed, and none of the records that it leaves in the journal. */
    private List<CompletableFuture<Optional<ReportedResult>>> closed(Path folder, List<Op> ops) {
        List<CompletableFuture<Optional<ReportedResult>>> responses = new ArrayList<>();
        try (Journal journal = Journal.open(folder);
                Stowline storage = open()) {
            TableWriter<Entity> writer = table(storage).writer(WriterJournal.of(journal), settings -> settings);
            for (Op op : ops) {
                Submission<WriteResult> submission = StowlineTables.submit(writer, op.change());
                responses.add(submission.toFuture().handle(JournaledTables::reported));
            }
            CompletableFuture<Void> all = CompletableFuture.allOf(responses.toArray(CompletableFuture[]::new));
            // Past the beginning of the outage, unless all is done before.
            all.handle((done, error) -> true)
                    .completeOnTimeout(false, OUTAGE_MILLIS, TimeUnit.MILLISECONDS)
                    .join();
        }
        return responses;
    }

    private ReplayReport second(Path folder, List<RejectedOperation> rejected) {
        try (Journal journal = Journal.open(folder);
                Stowline storage = open();
                TableWriter<Entity> writer = table(storage).writer(WriterJournal.of(journal), settings -> settings)) {
            ReplayReport replay = writer.awaitReplay();
            rejected.addAll(writer.rejected());
            return replay;
        }
    }

    private Stowline open() {
        return connection.open(Duration.ofMillis(1));
    }

    private Table<Entity> table(Stowline storage) {
        return storage.table(name).withMarkers(connection.markers());
    }

    private static Optional<ReportedResult> reported(@Nullable WriteResult written, @Nullable Throwable error) {
        if (written != null) {
            return Optional.of(StowlineSubject.reported(List.of(written)));
        }
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        boolean left = cause instanceof LeftoverException || cause instanceof CancellationException;
        return left ? Optional.empty() : Optional.of(StowlineSubject.reported(Objects.requireNonNull(cause)));
    }

    /** Returns the end of an operation that was left for the second process. */
    private static ReportedResult replayed(Op op, List<RejectedOperation> rejected, boolean over) {
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

    /** An operation that has left the journal is done; a deletion that finds nothing is, too. */
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
