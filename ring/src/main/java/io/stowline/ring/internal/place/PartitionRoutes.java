package io.stowline.ring.internal.place;

import io.stowline.outcome.WriteResult;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableOperation;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The way of operations to the partitions of one table: which account an operation goes to, and how it is fenced while the partition moves.
 * All verbs of a ring's table go through it. The calls block.
 *
 * @param <T> the table's type
 */
public interface PartitionRoutes<T> {

    /**
     * Returns the account of a partition that stays where it is as long as this process runs, so that its operations need no fence.
     *
     * @return the account; empty if the partition may move
     */
    Optional<RingMember> settled(String partitionKey);

    /**
     * Carries out operations on one partition, all of them or none, where the partition is. One operation fails as the verb of {@link Table} does,
     * several fail as {@link io.stowline.table.Transaction#commit}. All operations are checked before any request.
     *
     * @param operations 1 to 99 on different entities of the partition, none of them on a reserved row
     * @return what each operation wrote, in their order
     */
    List<WriteResult> write(String partitionKey, List<TableOperation<T, ?>> operations);

    /**
     * Reads from one partition where it is.
     *
     * @param read reads from the table of one account; it may run more than once, and its last result counts
     */
    <R> R read(String partitionKey, Function<? super Table<T>, R> read);

    /** Reads, changes and replaces one entity; see {@link Table#modify}. */
    Optional<StoredEntity<T>> modify(String partitionKey, String rowKey, UnaryOperator<T> change);

    /** Returns the results of a query: of one partition where it is, else of all accounts of the region, merged as the query sets it. */
    <R> Stream<R> query(RoutedQuery<T, R> query);

    /** Returns how many results a query has. */
    long count(RoutedQuery<T, ?> query);
}
