package io.stowline.spring.boot.batch;

import io.stowline.error.NotFoundException;
import io.stowline.outcome.WriteResult;
import io.stowline.table.IndexedTable;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.WriterSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.batch.infrastructure.item.Chunk;
import org.springframework.batch.infrastructure.item.ItemWriter;
import org.springframework.batch.infrastructure.item.WriteFailedException;

/**
 * A writer of Spring Batch that writes each chunk by a {@link TableWriter}, which makes entity group transactions of the rows of a partition.
 * {@link #write} returns when the service has confirmed all rows of the chunk, so that the commit of the step comes after them.
 *
 * <pre>{@code
 * TableItemWriter<Runner> replacing = TableItemWriter.of(runners);
 * TableItemWriter<Runner> merging = TableItemWriter.of(runners, TableWriter::insertOrMerge);
 * }</pre>
 *
 * <p>Rows are no part of the step's transaction: a rollback leaves those that are written. A chunk whose commit is missing, since the process
 * was killed, is written again after the restart. Its operation must bear that: {@code insertOrReplace}, {@code insertOrMerge} and
 * {@link #deleting} do, {@code insert} does not.
 *
 * <p>Each chunk has a {@link TableWriter} that is closed at its end, so that nothing stays open, and no failure of a chunk affects the next one.
 * Thread-safe.
 *
 * @param <T> the type of the items
 */
public class TableItemWriter<T> implements ItemWriter<T> {

    private static final int MAX_NAMED = 5;

    private final ChunkWriter<T> writer;

    /** A writer of one chunk. */
    @FunctionalInterface
    interface ChunkWriter<T> {

        /** Writes the items, waits for their results and returns the failures. */
        List<RuntimeException> write(Chunk<? extends T> chunk) throws InterruptedException;
    }

    /** Visible to the proxies of the step scope. */
    TableItemWriter(ChunkWriter<T> writer) {
        this.writer = writer;
    }

    /**
     * Returns a writer that inserts rows, or replaces those that exist.
     *
     * @param table the table
     * @param <T> the table's type
     * @return the writer for steps
     */
    public static <T> TableItemWriter<T> of(Table<T> table) {
        return of(table, TableWriter::insertOrReplace);
    }

    /**
     * Returns a writer with another operation.
     *
     * @param table the table
     * @param operation submits the operation of an item, such as {@code TableWriter::insertOrMerge}, or {@code TableWriter::replace} for the
     *     items of {@link TableItemReader#stored}
     * @param <T> the type of the items
     * @param <R> the table's type
     * @return the writer for steps
     */
    public static <T, R> TableItemWriter<T> of(
            Table<R> table, BiFunction<TableWriter<R>, ? super T, Submission<WriteResult>> operation) {
        Objects.requireNonNull(table, "table");
        return of(() -> table.writer(TableItemWriter::fillTransactions), operation, failure -> false);
    }

    /**
     * Returns a writer that writes the index rows of its rows, too.
     *
     * @param table the table with its indexes
     * @param operation submits the operation of an item
     * @param <T> the type of the items
     * @param <R> the table's type
     * @return the writer for steps
     */
    public static <T, R> TableItemWriter<T> of(
            IndexedTable<R> table, BiFunction<TableWriter<R>, ? super T, Submission<WriteResult>> operation) {
        Objects.requireNonNull(table, "table");
        return of(() -> table.writer(TableItemWriter::fillTransactions), operation, failure -> false);
    }

    /**
     * Returns a writer that deletes rows, whatever their versions. A row that is missing counts as deleted: a chunk that was written before a
     * kill is deleted again after the restart.
     *
     * @param table the table
     * @param <T> the table's type
     * @return the writer for steps
     */
    public static <T> TableItemWriter<T> deleting(Table<T> table) {
        Objects.requireNonNull(table, "table");
        return TableItemWriter.<T, T>of(
                () -> table.writer(TableItemWriter::fillTransactions),
                TableWriter::delete,
                failure -> failure instanceof NotFoundException missing && !missing.isContainerMissing());
    }

    private static <T, R> TableItemWriter<T> of(
            Supplier<TableWriter<R>> writers,
            BiFunction<TableWriter<R>, ? super T, Submission<WriteResult>> operation,
            Predicate<Throwable> isDone) {
        Objects.requireNonNull(operation, "operation");
        return new TableItemWriter<>(chunk -> {
            try (TableWriter<R> writer = writers.get()) {
                return failures(writer, operation, chunk, isDone);
            }
        });
    }

    private static <T, R> List<RuntimeException> failures(
            TableWriter<R> writer,
            BiFunction<TableWriter<R>, ? super T, Submission<WriteResult>> operation,
            Chunk<? extends T> chunk,
            Predicate<Throwable> isDone)
            throws InterruptedException {
        List<Submission<WriteResult>> submissions = new ArrayList<>(chunk.size());
        List<RuntimeException> failures = new ArrayList<>();
        try {
            for (T item : chunk) {
                submissions.add(operation.apply(writer, item));
            }
        } catch (RuntimeException e) {
            failures.add(e);
        }
        writer.flush();
        for (Submission<WriteResult> submission : submissions) {
            try {
                submission.await();
            } catch (RuntimeException e) {
                if (!isDone.test(e)) {
                    failures.add(e);
                }
            }
        }
        return failures;
    }

    /** The flush at the end of the chunk does not wait for it. */
    private static WriterSettings.Builder fillTransactions(WriterSettings.Builder settings) {
        return settings.linger(Duration.ofSeconds(10));
    }

    /**
     * Writes a chunk, and waits for the results of all its items. An item that the table's writer refuses, such as one with a key that is not
     * allowed, ends the chunk: the items after it are not sent.
     *
     * @throws RuntimeException the failure itself if one item has failed, such as a {@link io.stowline.error.ConflictException}, so that the
     *     rules of the step for skips see it; the writer has repeated it already where that makes sense
     * @throws WriteFailedException if several items have failed; it names the first ones
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    @Override
    public void write(Chunk<? extends T> chunk) throws InterruptedException {
        List<RuntimeException> failures = writer.write(chunk);
        if (failures.size() == 1) {
            throw failures.get(0);
        }
        if (!failures.isEmpty()) {
            throw failed(failures, chunk.size());
        }
    }

    private static WriteFailedException failed(List<RuntimeException> failures, int size) {
        int more = failures.size() - MAX_NAMED;
        WriteFailedException all = new WriteFailedException(
                failures.size() + " of " + size + " items are not written: "
                        + failures.stream()
                                .limit(MAX_NAMED)
                                .map(Throwable::getMessage)
                                .collect(Collectors.joining("; "))
                        + (more > 0 ? "; and " + more + " more" : ""),
                failures.get(0));
        failures.stream().skip(1).limit(MAX_NAMED - 1L).forEach(all::addSuppressed);
        return all;
    }
}
