package io.stowline.ring.internal.place;

import io.stowline.outcome.WriteResult;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableOperation;
import io.stowline.table.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;

/** {@link PartitionRoutes} of a ring that does not change: each partition is in its home, and no operation needs a fence. */
public final class SteadyRoutes<T> implements PartitionRoutes<T> {

    private final RoutedTable<T> table;

    public SteadyRoutes(RoutedTable<T> table) {
        this.table = table;
    }

    @Override
    public Optional<RingMember> settled(String partitionKey) {
        return Optional.of(table.after(partitionKey));
    }

    @Override
    public List<WriteResult> write(String partitionKey, List<TableOperation<T, ?>> operations) {
        return read(
                partitionKey,
                home -> operations.size() == 1
                        ? List.of(AccountVerbs.of(home).take(operations.get(0)))
                        : all(home.transaction(partitionKey), operations));
    }

    private static <T> List<WriteResult> all(Transaction<T> transaction, List<TableOperation<T, ?>> operations) {
        operations.forEach(AccountVerbs.of(transaction)::take);
        return transaction.commit();
    }

    @Override
    public <R> R read(String partitionKey, Function<? super Table<T>, R> read) {
        RingMember home = table.after(partitionKey);
        Table<T> place = table.at(home);
        return home.call(() -> read.apply(place));
    }

    @Override
    public Optional<StoredEntity<T>> modify(String partitionKey, String rowKey, UnaryOperator<T> change) {
        return read(partitionKey, home -> home.modify(partitionKey, rowKey, change));
    }

    @Override
    public <R> Stream<R> query(RoutedQuery<T, R> query) {
        List<Flux<R>> accounts = members(query).stream()
                .map(member -> query.resultsOn(table.at(member).reactive()).onErrorMap(member::named))
                .toList();
        return MergedResults.stream(accounts, query);
    }

    @Override
    public long count(RoutedQuery<T, ?> query) {
        List<RingMember> members = members(query);
        members.forEach(table.members()::checked);
        long sum = AccountWork.onEach(
                        members, member -> query.countOn(table.at(member).reactive()))
                .stream()
                .mapToLong(Long::longValue)
                .sum();
        return Math.min(sum, query.limit());
    }

    private List<RingMember> members(RoutedQuery<T, ?> query) {
        return query.partitionKey() == null ? table.ofRegion() : List.of(table.after(query.partitionKey()));
    }
}
