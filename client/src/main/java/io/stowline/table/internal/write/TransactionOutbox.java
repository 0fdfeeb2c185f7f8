package io.stowline.table.internal.write;

import io.stowline.outcome.WriteResult;
import io.stowline.queue.SendSettings;
import io.stowline.queue.internal.client.PreparedMessage;
import io.stowline.table.internal.codec.OutboxKey;
import io.stowline.table.internal.request.EncodedOperation;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/** The outbox of a client as its transactions use it: messages that are stored with their entities and sent after them. Thread-safe. */
public interface TransactionOutbox {

    /**
     * Encodes a message for a transaction of this partition.
     *
     * @param queue its queue, blocking or reactive
     * @throws IllegalArgumentException if the queue belongs to another client, or the body has no room
     */
    PlannedMessage message(
            TableOperations operations,
            String partitionKey,
            OutboxKey key,
            Object queue,
            Object body,
            UnaryOperator<SendSettings.Builder> settings);

    /**
     * Commits a transaction with messages, and sends them afterwards.
     *
     * @param messages the messages, at least one, all with keys of one id
     * @param transaction commits the entities together with the rows of the messages
     * @return what the transaction gives; the messages are not waited for
     */
    Mono<List<WriteResult>> commit(
            TableOperations operations,
            String partitionKey,
            List<PlannedMessage> messages,
            Function<List<EncodedOperation>, Mono<List<WriteResult>>> transaction);

    /**
     * A message of a transaction that is not committed yet.
     *
     * @param key the key of its row
     * @param largest its row with a text as long as it can become
     */
    record PlannedMessage(OutboxKey key, PreparedMessage message, EncodedOperation largest) {}
}
