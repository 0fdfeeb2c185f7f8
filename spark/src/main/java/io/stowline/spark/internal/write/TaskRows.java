package io.stowline.spark.internal.write;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.filter.Filter;
import io.stowline.spark.internal.option.WriteMode;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.StoredEntity;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.UncollectedFailuresException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one task in a {@link TableWriter}, until each is settled: written, known from an earlier try, or failed. A row of mode
 * {@code insert} that meets an existing entity is read back, and counts as written if it carries the id of this write.
 *
 * <p>An earlier try of the task may have left most of the rows. After the first one that it meets, groups of rows are compared with the table before
 * they are sent: in a transaction each existing entity costs a request.
 *
 * <p>For the thread of the task.
 */
final class TaskRows {

    private static final Logger LOG = System.getLogger(TaskRows.class.getName());

    /** Full transactions matter more than the time of a single row: a flush ends the wait. */
    private static final Duration LINGER = Duration.ofSeconds(1);

    /** An outage of this length fails no task. */
    private static final Duration DELIVERY = Duration.ofMinutes(10);

    /** The horizon of requests in flight, so that they end before a next try. */
    private static final Duration CLOSE = Duration.ofSeconds(40);

    private static final long BUFFER_BYTES = 16L << 20;

    /** Settled rows wait behind one that is not. */
    private static final int MAX_PENDING = 20_000;

    private static final int READ_BACK = 100;

    /** Smaller groups cost less as transactions of many partitions at a time. */
    private static final int SMALLEST_GROUP = 20;

    /** The entities between the first and the last row of a group; behind them nothing is known. */
    private static final int RANGE_ROWS = 1_000;

    /** Groups in a row without any entity to meet, after which the comparison ends. */
    private static final int FRUITLESS = 10;

    private final Table<Entity> table;
    private final TableWriter<Entity> writer;
    private final WriteMode mode;
    private final RowMarker marker;
    private final ArrayDeque<PendingRow> pending = new ArrayDeque<>();
    private final List<PendingRow> unresolved = new ArrayList<>();
    private final List<Entity> group = new ArrayList<>();
    private final FailedRows failed;
    private boolean comparing;
    private int fruitless;
    private long written;
    private long known;

    /**
     * Opens the writer of a task.
     *
     * @param repeated an earlier try of the task may have written rows
     */
    TaskRows(Table<Entity> table, WriteMode mode, RowMarker marker, boolean repeated) {
        this.table = table;
        this.writer = table.writer(settings -> settings.linger(LINGER)
                .bufferBytes(BUFFER_BYTES)
                .submitTimeout(DELIVERY)
                .deliveryTimeout(DELIVERY)
                .giveUpAfter(DELIVERY)
                .closeTimeout(CLOSE));
        this.mode = mode;
        this.marker = marker;
        this.failed = new FailedRows(table.name());
        this.comparing = repeated && (inserts() || mode == WriteMode.DELETE);
    }

    /**
     * A row that is with the writer.
     *
     * @param key its keys
     * @param submission its operation
     * @param failure the reason why it is read back
     */
    private record PendingRow(
            EntityKey key,
            Submission<WriteResult> submission,
            @Nullable StorageException failure) {}

    void add(Entity entity) throws IOException {
        if (!comparing) {
            submit(entity);
            return;
        }
        if (!group.isEmpty() && !group.get(0).partitionKey().equals(entity.partitionKey())) {
            endGroup();
        }
        group.add(entity);
        if (group.size() == READ_BACK) {
            endGroup();
        }
    }

    /** Waits until every row has its end. */
    void flush() throws IOException {
        endGroup();
        writer.flush();
        while (!pending.isEmpty()) {
            settle(pending.remove());
        }
        readBack();
        refuseFailures();
    }

    /** Takes back the rows that are not sent. */
    void discard() {
        group.clear();
        pending.forEach(row -> row.submission().cancel());
        pending.clear();
        writer.takeFailures();
    }

    void close() {
        try {
            writer.close();
        } catch (UncollectedFailuresException e) {
            // the task has failed, for one of these or for another reason, which Spark reports
            LOG.log(Level.DEBUG, "rows of a failed task were not written to " + table.name(), e);
        }
    }

    WriteCounts counts() {
        TableWriter.Stats stats = writer.stats();
        return new WriteCounts(written, known, stats.requests(), stats.retries(), stats.throttles());
    }

    String table() {
        return table.name();
    }

    /** Returns whether a second row with the keys of another is an error; it would pass as a second try of it. */
    boolean refusesDuplicates() {
        return mode == WriteMode.INSERT;
    }

    private boolean inserts() {
        return mode == WriteMode.INSERT || mode == WriteMode.INSERT_IGNORE;
    }

    private Submission<WriteResult> submitted(Entity entity) {
        return switch (mode) {
            case UPSERT_REPLACE -> writer.insertOrReplace(entity);
            case UPSERT_MERGE -> writer.insertOrMerge(entity);
            case INSERT, INSERT_IGNORE -> writer.insert(entity);
            case DELETE -> writer.delete(entity.partitionKey(), entity.rowKey());
        };
    }

    private void submit(Entity entity) throws IOException {
        EntityKey key = new EntityKey(entity.partitionKey(), entity.rowKey());
        settleEnded();
        try {
            pending.add(new PendingRow(key, submitted(entity), null));
        } catch (IllegalArgumentException e) {
            throw FailedRows.refused(table.name(), key, e);
        } catch (RuntimeException e) {
            // the writer is broken, or had no room for long: the rows before this one have the reason
            settleDone();
            fail(key, e);
            throw failed.exception();
        }
    }

    private void settleEnded() throws IOException {
        while (!pending.isEmpty()
                && (pending.size() >= MAX_PENDING
                        || pending.element().submission().isDone())) {
            settle(pending.remove());
        }
        if (unresolved.size() >= READ_BACK) {
            readBack();
        }
        if (!failed.isEmpty()) {
            settleDone();
            refuseFailures();
        }
    }

    private void settleDone() throws IOException {
        for (PendingRow row : pending) {
            if (row.submission().isDone()) {
                settle(row);
            }
        }
    }

    private void refuseFailures() throws IOException {
        if (!failed.isEmpty()) {
            throw failed.exception();
        }
    }

    private void settle(PendingRow row) throws IOException {
        try {
            row.submission().await();
            written++;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(e);
        } catch (ConflictException e) {
            settleConflict(row, e);
        } catch (NotFoundException e) {
            if (mode == WriteMode.DELETE && !e.isContainerMissing()) {
                compare();
                known++;
            } else {
                fail(row.key(), e);
            }
        } catch (OutcomeUnknownException e) {
            if (inserts() || mode == WriteMode.DELETE) {
                unresolved.add(new PendingRow(row.key(), row.submission(), e));
            } else {
                fail(row.key(), e);
            }
        } catch (RuntimeException e) {
            fail(row.key(), e);
        }
    }

    static InterruptedIOException interrupted(InterruptedException cause) {
        InterruptedIOException interrupted = new InterruptedIOException("the task was interrupted");
        interrupted.initCause(cause);
        return interrupted;
    }

    private void settleConflict(PendingRow row, ConflictException conflict) {
        if (!inserts() || !"EntityAlreadyExists".equals(conflict.failure().errorCode())) {
            fail(row.key(), conflict);
            return;
        }
        compare();
        if (mode == WriteMode.INSERT) {
            unresolved.add(new PendingRow(row.key(), row.submission(), conflict));
        } else {
            known++;
        }
    }

    private void fail(EntityKey key, RuntimeException reason) {
        failed.add(key, String.valueOf(reason.getMessage()), reason);
    }

    private void compare() {
        comparing = true;
        fruitless = 0;
    }

    private void readBack() {
        if (unresolved.isEmpty()) {
            return;
        }
        Map<EntityKey, Entity> stored = table
                .findAll(unresolved.stream().map(PendingRow::key).toList())
                .stream()
                .map(StoredEntity::value)
                .collect(Collectors.toMap(
                        entity -> new EntityKey(entity.partitionKey(), entity.rowKey()), Function.identity()));
        for (PendingRow row : unresolved) {
            Entity found = stored.get(row.key());
            boolean isSettled =
                    switch (mode) {
                        case INSERT -> found != null && marker.isOn(found);
                        case DELETE -> found == null;
                        default -> found != null;
                    };
            if (isSettled) {
                known++;
            } else if (mode == WriteMode.INSERT && found != null) {
                failed.add(row.key(), marker.foreign(found), row.failure());
            } else {
                fail(row.key(), Objects.requireNonNull(row.failure(), "failure"));
            }
        }
        unresolved.clear();
    }

    private void endGroup() throws IOException {
        List<Entity> rows = List.copyOf(group);
        group.clear();
        Map<String, Entity> existing = new HashMap<>();
        @Nullable String covered = rows.size() < SMALLEST_GROUP ? "" : existing(rows, existing);
        boolean fruit = false;
        for (Entity row : rows) {
            Entity found = existing.get(row.rowKey());
            boolean isKnown = covered == null || row.rowKey().compareTo(covered) <= 0;
            if (mode == WriteMode.DELETE ? found != null || !isKnown || rows.size() < SMALLEST_GROUP : found == null) {
                submit(row);
                continue;
            }
            fruit = true;
            if (mode == WriteMode.INSERT && !marker.isOn(Objects.requireNonNull(found, "found"))) {
                failed.add(new EntityKey(row.partitionKey(), row.rowKey()), marker.foreign(found), null);
            } else {
                known++;
            }
        }
        if (rows.size() >= SMALLEST_GROUP) {
            fruitless = fruit ? 0 : fruitless + 1;
            comparing = fruitless < FRUITLESS;
        }
    }

    /** Returns the last row key of which it is known whether an entity exists; {@code null} if that is known of all. */
    private @Nullable String existing(List<Entity> rows, Map<String, Entity> existing) {
        List<String> keys = rows.stream().map(Entity::rowKey).sorted().toList();
        String last = "";
        int read = 0;
        try (Stream<Entity> entities = table
                .query()
                .partition(rows.get(0).partitionKey())
                .where(Filter.rowKey().atLeast(keys.get(0)).and(Filter.rowKey().atMost(keys.get(keys.size() - 1))))
                .select(marker.column())
                .limit(RANGE_ROWS)
                .stream()) {
            for (Entity entity : (Iterable<Entity>) entities::iterator) {
                last = entity.rowKey();
                existing.put(last, entity);
                read++;
            }
        }
        return read < RANGE_ROWS ? null : last;
    }
}
