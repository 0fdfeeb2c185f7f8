package io.stowline.ring.internal.move;

import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.filter.Filter;
import io.stowline.ring.RingAccount.Membership;
import io.stowline.ring.internal.place.AccountVerbs;
import io.stowline.ring.internal.place.MergedResults;
import io.stowline.ring.internal.place.PartitionRoutes;
import io.stowline.ring.internal.place.ResultReader;
import io.stowline.ring.internal.place.RingMember;
import io.stowline.ring.internal.place.RoutedQuery;
import io.stowline.ring.internal.place.RoutedTable;
import io.stowline.ring.internal.place.SteadyRoutes;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.ScanPolicy;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableOperation;
import io.stowline.table.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * {@link PartitionRoutes} of a ring that changes: partitions whose homes differ go by their place row, the others as in a steady ring.
 *
 * @param <T> the table's type
 */
public final class MovingRoutes<T> implements PartitionRoutes<T> {

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

    private static final int READ_AHEAD = 64;

    private final RoutedTable<T> table;
    private final SteadyRoutes<T> steady;
    private final PartitionFence fence;
    private final MovePause pause;

    /**
     * Makes the routes of a table.
     *
     * @param places the same table with its place rows
     */
    public MovingRoutes(RoutedTable<T> table, PartitionStore places, DescriptionCheck check, MovePause pause) {
        this.table = table;
        this.steady = new SteadyRoutes<>(table);
        this.pause = pause;
        this.fence =
                new PartitionFence(places, key -> check.of(table.before(key).name()), pause, LONGEST_WAIT);
    }

    @Override
    public Optional<RingMember> settled(String partitionKey) {
        RingMember before = table.before(partitionKey);
        return before.equals(table.after(partitionKey)) ? Optional.of(before) : Optional.empty();
    }

    private RingMember member(RingEpoch home, String partitionKey) {
        return home == RingEpoch.OLD ? table.before(partitionKey) : table.after(partitionKey);
    }

    @Override
    public List<WriteResult> write(String partitionKey, List<TableOperation<T, ?>> operations) {
        if (settled(partitionKey).isPresent()) {
            return steady.write(partitionKey, operations);
        }
        return fence.write(partitionKey, (home, fenceRow) -> {
            RingMember member = member(home, partitionKey);
            Table<T> place = table.unchecked(member);
            return member.call(() -> fenceRow == null
                    ? SteadyRoutes.write(place, partitionKey, operations)
                    : fenced(place, partitionKey, operations, fenceRow));
        });
    }

    /** The fence row comes last, so that a row of the application proves what became of a lost response. */
    private static <T> List<WriteResult> fenced(
            Table<T> place, String partitionKey, List<TableOperation<T, ?>> operations, String fenceRow) {
        Transaction<T> transaction = place.transaction(partitionKey);
        operations.forEach(AccountVerbs.of(transaction)::take);
        transaction
                .in(place.as(Entity.class))
                .merge(StoredEntity.anyVersion(TablePartitionStore.fence(partitionKey, fenceRow)));
        try {
            return transaction.commit().subList(0, operations.size());
        } catch (TransactionFailedException e) {
            if (!RefusedWriteException.isRefusal(e.getCause())) {
                throw e;
            }
            if (e.index() == operations.size()) {
                throw new FenceClosedException();
            }
            throw new RefusedWriteException(
                    operations.size() == 1 && e.getCause() instanceof StorageException cause ? cause : e);
        }
    }

    @Override
    public <R> R read(String partitionKey, Function<? super Table<T>, R> read) {
        if (settled(partitionKey).isPresent()) {
            return steady.read(partitionKey, read);
        }
        return fence.read(partitionKey, home -> {
            RingMember member = member(home, partitionKey);
            return member.call(() -> read.apply(table.unchecked(member)));
        });
    }

    @Override
    public Optional<StoredEntity<T>> modify(String partitionKey, String rowKey, UnaryOperator<T> change) {
        if (settled(partitionKey).isPresent()) {
            return steady.modify(partitionKey, rowKey, change);
        }
        long begun = pause.nanos();
        while (true) {
            Optional<StoredEntity<T>> found = read(partitionKey, place -> place.find(partitionKey, rowKey));
            if (found.isEmpty()) {
                return found;
            }
            StoredEntity<T> stored = found.get();
            T changed = change.apply(stored.value());
            if (changed.equals(stored.value())) {
                return found;
            }
            try {
                WriteResult written = write(partitionKey, List.of(TableOperation.replace(stored.with(changed))))
                        .get(0);
                if (!written.etag().isEmpty()) {
                    return Optional.of(StoredEntity.of(changed, written.etag()));
                }
                return read(partitionKey, place -> place.find(partitionKey, rowKey));
            } catch (PreconditionFailedException e) {
                if (pause.nanos() - begun > LONGEST_WAIT.toNanos()) {
                    throw e;
                }
            }
        }
    }

    @Override
    public <R> Stream<R> query(RoutedQuery<T, R> query) {
        if (query.partitionKey() != null) {
            return settled(query.partitionKey()).isPresent()
                    ? steady.query(query)
                    : partition(query.partitionKey(), query);
        }
        Function<R, EntityKey> keys = query.keys();
        if (keys == null) {
            throw new IllegalStateException(
                    "the ring changes, and finds results in their homes by their keys: read a type that has" + " both");
        }
        RoutedQuery<T, FoundRow<R>> rows = query.withoutReserved()
                .taking(
                        results -> query.results().apply(results).map(row -> new FoundRow<>(keys.apply(row), row)),
                        FoundRow::key);
        List<Flux<FoundRow<R>>> accounts = new ArrayList<>();
        for (RingMember member : table.checked()) {
            accounts.add(present(member, rows.resultsOn(table.unchecked(member).reactive()))
                    .filter(row -> isHere(row, member)));
            accounts.add(present(member, placed(member)));
        }
        MovingPartitions moving = new MovingPartitions();
        return MergedResults.stream(accounts, rows)
                .flatMap(row -> here(row, moving, query))
                .limit(query.limit());
    }

    private <R> Stream<R> here(FoundRow<R> row, MovingPartitions moving, RoutedQuery<T, R> query) {
        String partitionKey = row.key.partitionKey();
        if (settled(partitionKey).isPresent()) {
            return Stream.ofNullable(row.result);
        }
        return moving.isNew(partitionKey) ? partition(partitionKey, query) : Stream.empty();
    }

    /** Partitions that move, whether or not their rows in this account match the query. */
    private <R> Flux<FoundRow<R>> placed(RingMember member) {
        return table
                .unchecked(member)
                .as(Entity.class)
                .withScanPolicy(ScanPolicy.ALLOW)
                .reactive()
                .query()
                .where(Filter.rowKey().equalTo(PlaceRow.KEY))
                .select()
                .stream()
                .map(row -> new FoundRow<>(new EntityKey(row.partitionKey(), row.rowKey()), null));
    }

    /** An account that joins has no table before the move begins. */
    private static <R> Flux<R> present(RingMember member, Flux<R> rows) {
        return rows.onErrorResume(
                        NotFoundException.class,
                        e -> e.isContainerMissing() && member.account().membership() == Membership.JOINING
                                ? Flux.empty()
                                : Flux.error(e))
                .onErrorMap(member::named);
    }

    private boolean isHere(FoundRow<?> row, RingMember member) {
        return member.equals(table.before(row.key.partitionKey()))
                || member.equals(table.after(row.key.partitionKey()));
    }

    /** Reads a partition that moves as a whole, so that all of it is from one home. */
    private <R> Stream<R> partition(String partitionKey, RoutedQuery<T, R> query) {
        RoutedQuery<T, R> own = query.in(partitionKey).withoutReserved();
        return read(partitionKey, place -> {
                    try (Stream<R> rows = ResultReader.stream(own.resultsOn(place.reactive()), READ_AHEAD)) {
                        return rows.toList();
                    }
                })
                .stream();
    }

    @Override
    public long count(RoutedQuery<T, ?> query) {
        try (Stream<?> results = query(query)) {
            return results.count();
        }
    }

    private record FoundRow<R>(EntityKey key, @Nullable R result) {}

    /** The partitions that a merged query has come to, in the order of their keys. */
    private static final class MovingPartitions {

        private @Nullable String last;

        boolean isNew(String partitionKey) {
            boolean fresh = !partitionKey.equals(last);
            last = partitionKey;
            return fresh;
        }
    }
}
