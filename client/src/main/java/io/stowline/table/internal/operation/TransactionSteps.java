package io.stowline.table.internal.operation;

import io.stowline.table.EntityWriteResult;
import io.stowline.table.TableOperation;
import java.util.List;
import reactor.core.publisher.Mono;

/** What is done to the entities of an explicit transaction, in the order of their coming. */
public interface TransactionSteps<T> {

    String partitionKey();

    /** Adds an operation, or says why it cannot stand in this transaction. */
    void add(TableOperation<T, ?> operation);

    /** Once: a transaction that is committed again would be sent again. */
    TransactionSteps<T> closed();

    Mono<List<EntityWriteResult>> commit();

    /** The same as a callback. */
    Mono<List<EntityWriteResult>> delivered();
}
