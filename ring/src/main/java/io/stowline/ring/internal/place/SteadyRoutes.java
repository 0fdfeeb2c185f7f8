package io.stowline.ring.internal.place;

import io.stowline.outcome.WriteResult;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableOperation;
import io.stowline.table.Transaction;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
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
        return read(partitionKey, home -> write(home, partitionKey, operations));
    }

    /** Carries out operations on one partition in the table of one account. */
    public static <T> List<WriteResult> write(
            Table<T> home, String partitionKey, List<TableOperation<T, ?>> operations) {
        return operations.size() == 1
                ? List.of(AccountVerbs.of(home).take(operations.get(0)))
                : all(home.transaction(partitionKey), operations);
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
        List<RingMember> members = members(query);
        members.forEach(table.members()::checked);
        boolean leftovers = members.stream().anyMatch(table.members()::hasLeftovers);
        RoutedQuery<T, R> own = leftovers ? atHome(query) : query;
        List<Flux<R>> accounts = members.stream()
                .map(member -> own.resultsOn(table.unchecked(member).reactive())
                        .filter(result -> !leftovers || isAt(member, query, result))
                        .onErrorMap(member::named))
                .toList();
        AtomicInteger turn = new AtomicInteger();
        return MergedResults.stream(accounts, own).limit(query.limit()).peek(result -> table.members()
                .checked(members.get(turn.getAndIncrement() % members.size())));
    }

    /** Rows that a change of the ring has left stand in other accounts than their homes, and count towards no limit. */
    private static <T, R> RoutedQuery<T, R> atHome(RoutedQuery<T, R> query) {
        if (query.keys() == null) {
            throw new IllegalStateException(
                    "the ring has changed and its move is not finished, so that results are found"
                            + " in their homes by their keys: read a type that has both, or finish the move");
        }
        return query.withoutReserved().unlimited();
    }

    private <R> boolean isAt(RingMember member, RoutedQuery<T, R> query, R result) {
        return member.equals(
                table.after(Objects.requireNonNull(query.keys()).apply(result).partitionKey()));
    }

    @Override
    public long count(RoutedQuery<T, ?> query) {
        List<RingMember> members = members(query);
        members.forEach(table.members()::checked);
        if (members.stream().anyMatch(table.members()::hasLeftovers)) {
            try (Stream<?> results = query(query)) {
                return results.count();
            }
        }
        long sum = AccountWork.onEach(
                        members, member -> query.countOn(table.unchecked(member).reactive()))
                .stream()
                .mapToLong(Long::longValue)
                .sum();
        return Math.min(sum, query.limit());
    }

    private List<RingMember> members(RoutedQuery<T, ?> query) {
        return query.partitionKey() == null ? table.ofRegion() : List.of(table.after(query.partitionKey()));
    }
}
