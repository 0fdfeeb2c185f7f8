package io.stowline.examples.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stowline.examples.shared.JobFailedException;
import io.stowline.examples.shared.ProgressDisplay;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.TableWriter.RejectedOperation;
import io.stowline.table.TableWriter.ReplayReport;
import io.stowline.table.UncollectedFailuresException;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A loader that gives the rows of an input to a writer, and saves the position after each. A row counts as done when it is in the writer's journal or in
 * the file of rejected rows, so that the next process goes on behind it. Used by one thread.
 *
 * <p>A process that is killed between the journal and the checkpoint leaves one row unresolved. The next process looks for that row in the
 * table, once the journal has sent what it held, and writes it only if it is not there.
 */
final class RowLoader {

    // Long enough for full transactions, and short enough for the end of a replay, which lingers too.
    private static final Duration LINGER = Duration.ofSeconds(1);
    // The service may be away for long; the journal holds what is accepted.
    private static final Duration SUBMIT_TIMEOUT = Duration.ofHours(12);
    private static final int MAX_LINES = 10_000;
    private static final int ROWS_BETWEEN_UPDATES = 64;

    private final EntityMapper mapper;
    private final LoadState state;
    private final RejectedRows rejects;
    private final EntityTally written;
    private final PrintStream out;
    private final KeySet keys = new KeySet(KeySet.CAPACITY);
    private final CRC32C digest = new CRC32C();
    private final Map<EntityKey, Long> refusedLines = new ConcurrentHashMap<>();
    private final Semaphore callbacks = new Semaphore(Integer.MAX_VALUE);
    private final long resumedAt;
    private volatile @Nullable Throwable failure;
    private long rows;

    RowLoader(EntityMapper mapper, LoadState state, RejectedRows rejects, EntityTally written, PrintStream out) {
        this.mapper = mapper;
        this.state = state;
        this.rejects = rejects;
        this.written = written;
        this.out = out;
        this.resumedAt = state.position().rows();
    }

    /** Loads the rest of the input. */
    LoadResult load(Table<Entity> table, InputFile input) throws IOException {
        try (RowSource source = input.open()) {
            skip(source);
            return load(table, input, source);
        }
    }

    private LoadResult load(Table<Entity> table, InputFile input, RowSource source) throws IOException {
        long start = System.nanoTime();
        try (TableWriter<Entity> writer =
                state.writer(table, settings -> settings.linger(LINGER).submitTimeout(SUBMIT_TIMEOUT))) {
            if (resumedAt > 0) {
                out.printf(Locale.ROOT, "Goes on at row %,d%n", resumedAt + 1);
            }
            ReplayReport replay = writer.awaitReplay();
            if (replay.total() > 0) {
                out.printf(Locale.ROOT, "%,d earlier rows came from the journal%n", replay.total());
            }
            // The process before may have put the first row behind the checkpoint into the journal.
            InputRow first = source.next();
            if (first != null) {
                write(first, writer, entity -> resumedAt > 0 && isStored(table, entity));
            }
            write(source, writer, input.size());
            writer.flush();
            callbacks.acquireUninterruptibly(Integer.MAX_VALUE); // a flush does not wait for them
            if (failure != null) {
                throw new JobFailedException("the load was not finished: " + failure.getMessage(), failure);
            }
            int refused = report(writer);
            if (keys.isFull()) {
                out.println(keys.described());
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            return new LoadResult(rows, rejects.count(), refused, resumedAt, replay.total(), writer.stats(), seconds);
        } catch (UncollectedFailuresException e) {
            throw new JobFailedException("the load was not finished: " + e.getMessage(), e);
        }
    }

    /** Reads what an earlier process has done, so that the keys are known and a changed input is noticed. */
    private void skip(RowSource source) throws IOException {
        while (rows < resumedAt) {
            InputRow row = source.next();
            if (row == null) {
                break;
            }
            rows++;
            digest(row);
            addKeys(row);
        }
        if (rows < resumedAt || digest.getValue() != state.position().digest()) {
            throw new IOException(
                    "the input has changed: its first " + resumedAt + " rows are not those that were loaded before");
        }
    }

    private void addKeys(InputRow row) {
        try {
            keys.check(mapper.entity(row));
        } catch (RowRefusedException e) {
            // Is in the file of rejected rows, and its keys are free.
        }
    }

    private static boolean isStored(Table<Entity> table, Entity entity) {
        return table.find(entity.partitionKey(), entity.rowKey())
                .filter(stored -> stored.value().properties().equals(entity.properties()))
                .isPresent();
    }

    private void write(RowSource source, TableWriter<Entity> writer, long size) throws IOException {
        try (ProgressDisplay progress = ProgressDisplay.of(out, "Loading", size)) {
            InputRow row = source.next();
            while (row != null) {
                write(row, writer, entity -> false);
                if (rows % ROWS_BETWEEN_UPDATES == 0) {
                    progress.show(source.bytesRead(), described(writer));
                }
                row = source.next();
            }
            progress.show(size, described(writer));
        }
    }

    private void write(InputRow row, TableWriter<Entity> writer, Predicate<Entity> isDone) throws IOException {
        rows++;
        digest(row);
        try {
            Entity entity = mapper.entity(row);
            keys.check(entity);
            if (!isDone.test(entity)) {
                submit(row, entity, writer);
            }
            written.add(entity);
        } catch (RowRefusedException | IllegalArgumentException e) {
            rejects.add(Long.toString(row.line()), String.valueOf(e.getMessage()), row.text());
        }
        save(state.position().reported());
    }

    private void submit(InputRow row, Entity entity, TableWriter<Entity> writer) {
        var submission = writer.insertOrReplace(entity);
        callbacks.acquireUninterruptibly();
        submission.whenComplete((result, error) -> {
            if (error != null && !state.isKept()) {
                failure = error;
            }
            if (error != null && refusedLines.size() < MAX_LINES) {
                refusedLines.put(new EntityKey(entity.partitionKey(), entity.rowKey()), row.line());
            }
            callbacks.release();
        });
    }

    private void digest(InputRow row) {
        digest.update(row.text().getBytes(UTF_8));
        digest.update('\n');
    }

    private void save(long reported) throws IOException {
        state.save(new Checkpoint.Position(rows, digest.getValue(), rejects.count(), rejects.length(), reported));
    }

    private String described(TableWriter<Entity> writer) {
        TableWriter.Stats sent = writer.stats();
        return String.format(
                Locale.ROOT,
                "%,d rows, %,d rejected, %,d requests of %.1f%s",
                rows,
                rejects.count(),
                sent.requests(),
                LoadResult.perRequest(sent),
                writer.pausedBy()
                        .map(refusal -> ", waits: " + refusal.failure().message())
                        .orElse(""));
    }

    /** Moves the rows that the service refused from the journal into the file, and returns how many. */
    private int report(TableWriter<Entity> writer) throws IOException {
        List<RejectedOperation> refused = writer.rejected();
        long reported = state.position().reported();
        for (RejectedOperation operation : refused) {
            if (operation.id() > reported) {
                Long line = refusedLines.get(new EntityKey(operation.partitionKey(), operation.rowKey()));
                rejects.add(line == null ? "" : line.toString(), operation.reason(), operation.json());
            }
        }
        save(refused.stream().mapToLong(RejectedOperation::id).max().orElse(reported));
        refused.forEach(operation -> writer.discardRejected(operation.id()));
        long lost = state.droppedRejections();
        if (lost > 0) {
            throw new IOException(lost + " more rows were refused by the service than the journal's list can name");
        }
        return refused.size();
    }
}
