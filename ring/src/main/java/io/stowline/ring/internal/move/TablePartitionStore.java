package io.stowline.ring.internal.move;

import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.filter.Filter;
import io.stowline.ring.RingAccount.Membership;
import io.stowline.ring.internal.place.ReservedRows;
import io.stowline.ring.internal.place.RingMember;
import io.stowline.ring.internal.place.RoutedTable;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.PredecessorUnknownException;
import io.stowline.table.Query;
import io.stowline.table.ScanPolicy;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.Transaction;
import io.stowline.table.transfer.EntityDifference;
import io.stowline.table.transfer.EntitySource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@link PartitionStore} over the tables of the accounts. Thread-safe. */
public final class TablePartitionStore implements PartitionStore {

    private static final int MAX_ENTITIES = 98;
    private static final int PAGE = 1_000;
    private static final String STAGE = "stage";
    private static final String FENCE = "fence";
    private static final String TERM = "term";

    /** A request that may still arrive holds its entities back; its end is not known, only its latest time. */
    private static final Duration HELD_BACK = Duration.ofMillis(200);

    private final RoutedTable<Entity> table;
    private final MovePause pause;

    public TablePartitionStore(RoutedTable<Entity> table, MovePause pause) {
        this.table = table;
        this.pause = pause;
    }

    @Override
    public String name() {
        return table.name() + "@" + table.region();
    }

    /** Makes the table in all accounts of the region, since those that join have none. */
    void createIfMissing() {
        for (RingMember member : table.ofRegion()) {
            member.call(() -> table.unchecked(member).createIfMissing());
        }
    }

    private RingMember member(RingEpoch home, String partitionKey) {
        return home == RingEpoch.OLD ? table.before(partitionKey) : table.after(partitionKey);
    }

    private Table<Entity> at(RingEpoch home, String partitionKey) {
        return table.unchecked(member(home, partitionKey));
    }

    @Override
    public @Nullable PlaceRow place(RingEpoch home, String partitionKey) {
        RingMember member = member(home, partitionKey);
        return member.call(() -> table.unchecked(member).find(partitionKey, PlaceRow.KEY))
                .map(TablePartitionStore::decoded)
                .orElse(null);
    }

    private static PlaceRow decoded(StoredEntity<Entity> stored) {
        Entity row = stored.value();
        return new PlaceRow(
                PlaceRow.PlaceStage.valueOf(Objects.requireNonNull(row.get(STAGE, String.class), STAGE)),
                Objects.requireNonNull(row.get(FENCE, String.class), FENCE),
                Objects.requireNonNull(row.get(TERM, Long.class), TERM),
                stored.etag());
    }

    private static Entity encoded(String partitionKey, PlaceRow row) {
        return Entity.builder(partitionKey, PlaceRow.KEY)
                .set(STAGE, row.stage().name())
                .set(FENCE, row.fence())
                .set(TERM, row.term())
                .build();
    }

    /** Returns the row beside a place row that the transactions of one stage merge. */
    static Entity fence(String partitionKey, String fenceRow) {
        return Entity.builder(partitionKey, fenceRow).set("open", true).build();
    }

    @Override
    public boolean put(RingEpoch home, String partitionKey, @Nullable PlaceRow from, PlaceRow to) {
        Transaction<Entity> transaction = at(home, partitionKey).transaction(partitionKey);
        Entity row = encoded(partitionKey, to);
        if (from == null) {
            transaction.insert(row);
        } else {
            transaction.replace(StoredEntity.of(row, from.etag()));
        }
        String gone = from == null ? null : from.fenceRow();
        String next = to.fenceRow();
        if (!Objects.equals(gone, next)) {
            if (gone != null) {
                transaction.delete(gone);
            }
            if (next != null) {
                transaction.insert(fence(partitionKey, next));
            }
        }
        return committed(member(home, partitionKey), transaction) != null;
    }

    /** Returns {@code null} if the transaction was refused or held back, or its outcome is unknown: the rows are read again then. */
    private @Nullable List<WriteResult> committed(RingMember member, Transaction<Entity> transaction) {
        try {
            return transaction.commit();
        } catch (TransactionFailedException e) {
            if (RefusedWriteException.isRefusal(e.getCause())) {
                return null;
            }
            throw member.named(e);
        } catch (OutcomeUnknownException e) {
            return null;
        } catch (PredecessorUnknownException e) {
            pause.await(HELD_BACK);
            return null;
        } catch (RuntimeException e) {
            throw member.named(e);
        }
    }

    @Override
    public long align(RingEpoch from, RingEpoch to, String partitionKey, String fenceRow) {
        RingMember source = member(from, partitionKey);
        RingMember target = member(to, partitionKey);
        long different = 0;
        try (Stream<EntityDifference> differences = source.client()
                .tables()
                .compare(
                        EntitySource.of(table.unchecked(source)),
                        EntitySource.of(table.unchecked(target)),
                        settings -> settings.partition(partitionKey).where(ReservedRows.excluded()))) {
            AlignedRows rows = new AlignedRows(target, table.unchecked(target), partitionKey, fenceRow);
            for (Iterator<EntityDifference> all = differences.iterator(); all.hasNext(); different++) {
                rows.take(all.next());
            }
            rows.flush();
        }
        return different;
    }

    /** The transactions that give the target the rows of the source. Not thread-safe. */
    private final class AlignedRows {

        private final RingMember target;
        private final Table<Entity> table;
        private final String partitionKey;
        private final String fenceRow;
        private final List<EntityDifference> waiting = new ArrayList<>();

        AlignedRows(RingMember target, Table<Entity> table, String partitionKey, String fenceRow) {
            this.target = target;
            this.table = table;
            this.partitionKey = partitionKey;
            this.fenceRow = fenceRow;
        }

        void take(EntityDifference difference) {
            waiting.add(difference);
            if (waiting.size() == MAX_ENTITIES) {
                flush();
            }
        }

        void flush() {
            send(List.copyOf(waiting));
            waiting.clear();
        }

        private void send(List<EntityDifference> rows) {
            if (rows.isEmpty()) {
                return;
            }
            try {
                Transaction<Entity> transaction = table.transaction(partitionKey);
                for (EntityDifference row : rows) {
                    row.first().ifPresentOrElse(transaction::insertOrReplace, () -> transaction.delete(row.rowKey()));
                }
                transaction.merge(StoredEntity.anyVersion(fence(partitionKey, fenceRow)));
                commit(transaction, rows.size());
            } catch (IllegalArgumentException e) {
                // larger than the service takes
                int half = rows.size() / 2;
                if (half == 0) {
                    throw target.named(e);
                }
                send(rows.subList(0, half));
                send(rows.subList(half, rows.size()));
            }
        }

        /** The next comparison sees what a repetition finds done, such as a deletion. */
        private void commit(Transaction<Entity> transaction, int fence) {
            try {
                transaction.commit();
            } catch (TransactionFailedException e) {
                if (!(e.getCause() instanceof NotFoundException missing) || missing.isContainerMissing()) {
                    throw target.named(e);
                }
                if (e.index() == fence) {
                    throw new FenceClosedException();
                }
            } catch (OutcomeUnknownException e) {
                if (target.call(() -> table.find(partitionKey, fenceRow)).isEmpty()) {
                    throw new FenceClosedException();
                }
            } catch (PredecessorUnknownException e) {
                // the next comparison finds these rows again
                pause.await(HELD_BACK);
            } catch (IllegalArgumentException e) {
                throw e;
            } catch (RuntimeException e) {
                throw target.named(e);
            }
        }
    }

    @Override
    public boolean clear(RingEpoch home, String partitionKey, PlaceRow row, boolean entities) {
        RingMember member = member(home, partitionKey);
        Table<Entity> place = table.unchecked(member);
        Entity kept = encoded(partitionKey, row);
        String etag = row.etag();
        while (true) {
            List<String> some = member.call(() -> rows(place, partitionKey, row, entities));
            Transaction<Entity> transaction = place.transaction(partitionKey);
            some.forEach(transaction::delete);
            if (some.size() == MAX_ENTITIES) {
                transaction.replace(StoredEntity.of(kept, etag));
            } else {
                transaction.delete(StoredEntity.of(kept, etag));
                if (row.fenceRow() != null) {
                    transaction.delete(row.fenceRow());
                }
            }
            List<WriteResult> results = committed(member, transaction);
            if (results == null || some.size() < MAX_ENTITIES) {
                return results != null;
            }
            etag = results.get(MAX_ENTITIES).etag();
            if (etag.isEmpty()) {
                return false;
            }
        }
    }

    private static List<String> rows(Table<Entity> place, String partitionKey, PlaceRow row, boolean entities) {
        var query = place.query().partition(partitionKey);
        if (!entities) {
            query = query.rowPrefix(ReservedRows.PREFIX);
        }
        try (Stream<Entity> rows = query.select().limit(MAX_ENTITIES + 2).stream()) {
            return rows.map(Entity::rowKey)
                    .filter(key -> !key.equals(PlaceRow.KEY) && !key.equals(row.fenceRow()))
                    .limit(MAX_ENTITIES)
                    .toList();
        }
    }

    @Override
    public List<EntityKey> entities(RingEpoch home, String partitionKey) {
        RingMember member = member(home, partitionKey);
        return member.call(() -> keys(table.unchecked(member).query().partition(partitionKey)));
    }

    @Override
    public List<EntityKey> joined() {
        List<EntityKey> keys = new ArrayList<>();
        for (RingMember member : table.ofRegion()) {
            if (member.account().membership() == Membership.JOINING) {
                keys.addAll(member.call(() -> keys(
                        table.unchecked(member).withScanPolicy(ScanPolicy.ALLOW).query())));
            }
        }
        return keys;
    }

    private static List<EntityKey> keys(Query<Entity> query) {
        try (Stream<Entity> rows = query.where(ReservedRows.excluded()).select().limit(10).stream()) {
            return rows.map(row -> new EntityKey(row.partitionKey(), row.rowKey()))
                    .toList();
        }
    }

    @Override
    public List<String> accounts() {
        return table.ofRegion().stream().map(RingMember::name).toList();
    }

    @Override
    public List<String> partitions(String account, @Nullable String after) {
        RingMember member = Objects.requireNonNull(table.members().named(account), account);
        var query = table.unchecked(member).withScanPolicy(ScanPolicy.ALLOW).query();
        if (after != null) {
            query = query.where(Filter.partitionKey().greaterThan(after));
        }
        try (Stream<Entity> rows = query.select().limit(PAGE).stream()) {
            return rows.map(Entity::partitionKey).distinct().toList();
        }
    }

    @Override
    public boolean moves(String account, String partitionKey) {
        RingMember before = table.before(partitionKey);
        RingMember after = table.after(partitionKey);
        return !before.equals(after)
                && (before.name().equals(account) || after.name().equals(account));
    }
}
