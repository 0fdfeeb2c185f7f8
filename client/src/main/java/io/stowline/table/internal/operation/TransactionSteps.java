package io.stowline.table.internal.operation;

import io.stowline.outcome.WriteResult;
import io.stowline.table.TableOperation;
import java.util.List;
import reactor.core.publisher.Mono;

/** The steps of an explicit transaction on its entities, in the order of their addition. */
public interface TransactionSteps<T> {

    String partitionKey();

    /** Adds an operation, or throws if it cannot stand in this transaction. */
    void add(TableOperation<T, ?> operation);

    /** Closes the steps: a transaction that is committed again would be sent again. */
    TransactionSteps<T> closed();

    Mono<List<WriteResult>> commit();

    /** Commits, and delivers the results as a callback. */
    Mono<List<WriteResult>> delivered();
}
