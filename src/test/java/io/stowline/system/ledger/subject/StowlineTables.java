package io.stowline.system.ledger.subject;

import io.stowline.Stowline;
import io.stowline.caching.CachedRead;
import io.stowline.caching.Freshness;
import io.stowline.outcome.WriteMarkers;
import io.stowline.outcome.WriteResult;
import io.stowline.system.ledger.script.Change;
import io.stowline.system.ledger.script.Key;
import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.Op;
import io.stowline.system.ledger.script.ReportedResult;
import io.stowline.table.CachedTable;
import io.stowline.table.Entity;
import io.stowline.table.StoredEntity;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The changes, carried out by Stowline. */
final class StowlineTables implements AutoCloseable {

    private static final Duration TOO_SHORT = Duration.ofMillis(900);

    private final Table<Entity> table;
    private final Table<Entity> hurried;
    private final Table<Entity> once;
    private final CachedTable<Entity> cached;
    private final List<TableWriter<Entity>> writers;
    private final TableWriter<Entity> coalescing;
    private final IndexedTables indexed;
    private int submitted;

    StowlineTables(Stowline storage, String name, WriteMarkers markers) {
        this.table = storage.table(name).withMarkers(markers);
        this.hurried = table.withRetry(retry -> retry.deadline(TOO_SHORT));
        this.once = table.withRetry(retry -> retry.retries(0));
        this.cached = table.cached(Freshness.fresh(Op.FRESH));
        this.indexed = new IndexedTables(table);
        this.writers = List.of(table.writer(), table.writer());
        this.coalescing = table.writer(settings -> settings.coalesce(true));
    }

    List<WriteResult> perform(Op op) {
        Table<Entity> chosen =
                switch (op.patience()) {
                    case USUAL, CUT_SHORT -> table;
                    case ONE_ATTEMPT -> once;
                    case HURRIED -> hurried;
                };
        if (op.kind() == Kind.TRANSACTION) {
            Transaction<Entity> transaction =
                    chosen.transaction(op.change().key().partition());
            op.changes().forEach(change -> add(transaction, change));
            return transaction.commit();
        }
        return List.of(op.kind() == Kind.CLAIM ? chosen.claim(entity(op.change())) : one(chosen, op.change()));
    }

    private static WriteResult one(Table<Entity> table, Change change) {
        return switch (change.verb()) {
            case INSERT -> table.insert(entity(change));
            case UPDATE -> table.replace(stored(change));
            case MERGE -> table.merge(stored(change));
            case REPLACE_ANY -> table.insertOrReplace(entity(change));
            case MERGE_ANY -> table.insertOrMerge(entity(change));
            case DELETE -> table.delete(change.key().partition(), change.key().row());
            case DELETE_VERSION -> table.delete(stored(change));
        };
    }

    private static void add(Transaction<Entity> transaction, Change change) {
        switch (change.verb()) {
            case INSERT -> transaction.insert(entity(change));
            case UPDATE -> transaction.replace(stored(change));
            case MERGE -> transaction.merge(stored(change));
            case REPLACE_ANY -> transaction.insertOrReplace(entity(change));
            case MERGE_ANY -> transaction.insertOrMerge(entity(change));
            case DELETE -> transaction.delete(change.key().row());
            case DELETE_VERSION -> transaction.delete(stored(change));
        }
    }

    Optional<WriteResult> performIndexed(Op op) {
        return indexed.perform(op.change());
    }

    ReportedResult read(Op op) {
        CachedRead<StoredEntity<Entity>> read =
                cached.find(Key.of(op.target()).partition(), Key.of(op.target()).row());
        return read.value()
                .map(stored ->
                        new ReportedResult(ReportedResult.Sort.DONE, false, stored.etag(), -1, read.outcome() + ""))
                .orElseGet(() -> ReportedResult.of(ReportedResult.Sort.ABSENT, read.outcome() + ""));
    }

    /**
     * Submits an operation to one of several writers, which share the client's lanes, so that the choice does not
     * matter.
     */
    Submission<WriteResult> submit(Op op) {
        TableWriter<Entity> writer =
                op.kind() == Kind.COALESCED ? coalescing : writers.get(submitted++ % writers.size());
        return submit(writer, op.change());
    }

    static Submission<WriteResult> submit(TableWriter<Entity> writer, Change change) {
        return switch (change.verb()) {
            case INSERT -> writer.insert(entity(change));
            case UPDATE -> writer.replace(stored(change));
            case MERGE -> writer.merge(stored(change));
            case REPLACE_ANY -> writer.insertOrReplace(entity(change));
            case MERGE_ANY -> writer.insertOrMerge(entity(change));
            case DELETE -> writer.delete(change.key().partition(), change.key().row());
            case DELETE_VERSION -> writer.delete(stored(change));
        };
    }

    private static StoredEntity<Entity> stored(Change change) {
        return StoredEntity.of(entity(change), change.ifMatch());
    }

    private static Entity entity(Change change) {
        Entity.Builder entity =
                Entity.builder(change.key().partition(), change.key().row());
        return (change.verb().isDelete() ? entity : entity.set(change.verb().property(), change.value())).build();
    }

    @Override
    @SuppressWarnings("try")
    public void close() {
        try (TableWriter<Entity> first = coalescing;
                TableWriter<Entity> second = writers.get(0);
                TableWriter<Entity> third = writers.get(1)) {
            // Each is closed, whatever another one's end brings.
        }
    }
}
