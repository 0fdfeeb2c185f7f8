package io.stowline.table.internal.operation;

import io.stowline.outcome.WriteResult;
import io.stowline.table.TableOperation;
import io.stowline.table.internal.request.EncodedOperation;
import java.util.List;
import reactor.core.publisher.Mono;

/** A typed table whose rows stand beside those of other types in one transaction or writer; it is plain or has indexes. */
public interface TableMember<T> {

    /** Returns the table as this type. */
    TableContext<T> context();

    /** Encodes an operation, or throws if its row cannot stand in this table. */
    EncodedOperation encode(TableOperation<T, ?> operation);

    /**
     * Returns this type's rows with the settings of another holder of the same table.
     *
     * @throws IllegalArgumentException if it is a holder of another table, or of another client
     */
    TableMember<T> under(TableContext<?> whole);

    /** Returns a partition, unless no entity of this type may stand there. */
    String entityPartition(String partitionKey);

    /** Returns whether it has rows beside its entities. */
    boolean indexed();

    /**
     * Sends a transaction that has such rows.
     *
     * @param whole the table with the settings of the transaction
     * @param writes its operations, at least one
     * @return one result for each of them
     */
    Mono<List<WriteResult>> commit(TableContext<?> whole, List<PlannedWrite<?>> writes);
}
