package io.stowline.table.internal.operation;

import io.stowline.batching.internal.batch.DistinctKeys;
import io.stowline.error.StorageException;
import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.InvalidValueException;
import io.stowline.queue.SendSettings;
import io.stowline.table.internal.codec.OutboxKey;
import io.stowline.table.internal.request.ChangeSetBody;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.write.TransactionOutbox.PlannedMessage;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.request.RequestIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/**
 * A plan that collects the operations of one explicit transaction, on rows of any types, each checked when it is added. Not
 * thread-safe.
 */
public final class TransactionPlan {

    private final TableContext<?> whole;
    private final String partitionKey;
    private final List<PlannedWrite<?>> writes = new ArrayList<>();
    private final List<PlannedWrite<?>> beside = new ArrayList<>();
    private final List<PlannedMessage> messages = new ArrayList<>();
    private final DistinctKeys rowKeys = new DistinctKeys();
    private TableMember<?> sender;
    private long bytes = ChangeSetBody.ENVELOPE;
    private boolean committed;

    /**
     * A plan without operations.
     *
     * @param first the holder of the table whose settings the transaction has
     */
    TransactionPlan(TableMember<?> first, String partitionKey) {
        this.whole = first.context();
        this.sender = first;
        this.partitionKey = first.entityPartition(partitionKey);
    }

    String partitionKey() {
        return partitionKey;
    }

    /** Admits rows of another type, and returns them with the settings of the transaction. */
    <T> TableMember<T> join(TableMember<T> member) {
        TableMember<T> joined = member.under(whole);
        joined.entityPartition(partitionKey);
        if (joined.indexed() && !sender.indexed()) {
            sender = joined;
        }
        return joined;
    }

    /** Adds an operation of the application. */
    void add(PlannedWrite<?> write) {
        check(() -> "operation " + writes.size() + " of the transaction (" + write.words() + ")", write.entity());
        writes.add(write);
    }

    /**
     * Adds a row of the library, which happens with the application's operations or not at all. It counts as one of them for the limits,
     * is sent behind them, and has no result.
     *
     * @throws IllegalArgumentException if it cannot stand in this transaction
     */
    public void addBeside(EncodedOperation row) {
        PlannedWrite<?> write = new PlannedWrite<>(whole, null, row);
        check(write::words, row);
        beside.add(write);
    }

    /** Adds a message, which is sent once the transaction is committed. Its row is one of the library. */
    <M> void send(Object queue, M body, UnaryOperator<SendSettings.Builder> settings) {
        Objects.requireNonNull(body, "body");
        String id =
                messages.isEmpty() ? RequestIds.next() : messages.get(0).key().id();
        OutboxKey key = new OutboxKey(id, messages.size());
        PlannedMessage message =
                whole.service().outbox().message(whole.operations(), partitionKey, key, queue, body, settings);
        check(
                () -> "message " + messages.size() + " of the transaction (to the queue "
                        + message.message().queue() + ")",
                message.largest());
        messages.add(message);
    }

    private void check(Supplier<String> what, EncodedOperation operation) {
        if (!operation.partitionKey().equals(partitionKey)) {
            throw new IllegalArgumentException(
                    what.get() + " is for the partition '" + operation.partitionKey()
                            + "', but the transaction is for '" + partitionKey + "'",
                    new InvalidKeyException("PartitionKey: it is not that of the transaction"));
        }
        if (writes.size() + beside.size() + messages.size() == TableService.MAX_OPERATIONS) {
            throw refused(what, " is one too many: the limit is " + TableService.MAX_OPERATIONS + " operations");
        }
        long longer = bytes + ChangeSetBody.size(operation);
        if (longer > TableService.MAX_BYTES) {
            throw refused(
                    what,
                    " makes the transaction " + longer + " bytes long: the limit is " + TableService.MAX_BYTES
                            + " bytes");
        }
        if (!rowKeys.add(operation.rowKey())) {
            throw refused(what, " is the second for this entity: an entity can stand in a transaction once");
        }
        bytes = longer;
    }

    /** The keys of the operation are for the log only. */
    private static IllegalArgumentException refused(Supplier<String> what, String reason) {
        return new IllegalArgumentException(
                what.get() + reason, new InvalidValueException("an operation of the transaction" + reason));
    }

    /** Closes the plan: a transaction that is committed again would be sent again. */
    void close() {
        if (committed) {
            throw new IllegalStateException("the transaction of the partition '" + partitionKey
                    + "' has been committed before: make another one, since this one would be sent twice");
        }
        committed = true;
    }

    /** Commits what the plan has now. The results are those of the application's operations. */
    Mono<List<WriteResult>> commit() {
        List<PlannedWrite<?>> own = List.copyOf(writes);
        if (own.isEmpty()) {
            return Mono.error(new IllegalArgumentException("the transaction of the partition '" + partitionKey
                    + "' has no operation: add at least one before commit()"));
        }
        List<PlannedWrite<?>> added = List.copyOf(beside);
        return messages.isEmpty()
                ? commit(own, added)
                : whole.service()
                        .outbox()
                        .commit(
                                whole.operations(),
                                partitionKey,
                                List.copyOf(messages),
                                rows -> commit(own, with(added, rows)));
    }

    private List<PlannedWrite<?>> with(List<PlannedWrite<?>> added, List<EncodedOperation> rows) {
        List<PlannedWrite<?>> all = new ArrayList<>(added);
        rows.forEach(row -> all.add(new PlannedWrite<>(whole, null, row)));
        return all;
    }

    private Mono<List<WriteResult>> commit(List<PlannedWrite<?>> own, List<PlannedWrite<?>> added) {
        List<PlannedWrite<?>> all = added.isEmpty() ? own : joined(own, added);
        return sender.commit(whole, all)
                .map(written -> added.isEmpty() ? written : List.copyOf(written.subList(0, own.size())))
                .onErrorMap(TransactionFailedException.class, e -> named(all, e));
    }

    private static List<PlannedWrite<?>> joined(List<PlannedWrite<?>> own, List<PlannedWrite<?>> added) {
        List<PlannedWrite<?>> all = new ArrayList<>(own);
        all.addAll(added);
        return List.copyOf(all);
    }

    private static TransactionFailedException named(List<PlannedWrite<?>> all, TransactionFailedException e) {
        return e.getCause() instanceof StorageException cause
                ? new TransactionFailedException(e.index(), all.get(e.index()).words(), cause)
                : e;
    }

    /** Commits, and delivers the results as a callback. */
    Mono<List<WriteResult>> delivered() {
        return sender.indexed() ? commit() : whole.service().delivered(commit());
    }
}
