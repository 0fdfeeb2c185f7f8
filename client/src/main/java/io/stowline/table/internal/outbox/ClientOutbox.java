package io.stowline.table.internal.outbox;

import io.stowline.error.AuthenticationException;
import io.stowline.error.BadRequestException;
import io.stowline.error.NotFoundException;
import io.stowline.error.StorageException;
import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.WriteResult;
import io.stowline.queue.SendResult;
import io.stowline.queue.SendSettings;
import io.stowline.queue.internal.client.PreparedMessage;
import io.stowline.queue.internal.consumer.ConsumerRegistry;
import io.stowline.queue.internal.rule.QueueTimeLimits;
import io.stowline.table.internal.codec.OutboxKey;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.table.internal.write.TransactionOutbox;
import io.stowline.transport.StorageLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * {@link TransactionOutbox} of a client. The hint of a transaction is in the queue before its first attempt, and visible once its deadline is
 * over: from then on the rows show whether it was committed.
 */
public final class ClientOutbox implements TransactionOutbox {

    /** The time between the hint and the beginning of the transaction. */
    private static final Duration MARGIN = Duration.ofSeconds(5);

    private static final Duration MAX_DELAY = Duration.ofDays(StorageLimits.VISIBILITY_MAX_DAYS);
    private static final Logger LOG = LoggerFactory.getLogger(ClientOutbox.class);

    /** Further messages are left to the relay, so that a slow queue does not fill the memory. */
    private static final int MAX_DELIVERIES = 1_000;

    private final AtomicInteger deliveries = new AtomicInteger();
    private final ConsumerRegistry queues;
    private final HintQueue hints;
    private final OutboxDelivery delivery;

    public ClientOutbox(ConsumerRegistry queues) {
        this.queues = queues;
        this.hints = new HintQueue(queues);
        this.delivery = new OutboxDelivery(queues);
    }

    HintQueue hints() {
        return hints;
    }

    OutboxDelivery delivery() {
        return delivery;
    }

    @Override
    public PlannedMessage message(
            TableOperations table,
            String partitionKey,
            OutboxKey key,
            Object queue,
            Object body,
            UnaryOperator<SendSettings.Builder> settings) {
        PreparedMessage message = PreparedMessage.of(queue, body, settings);
        if (message.client() != queues) {
            throw new IllegalArgumentException("the queue " + message.queue() + " and the table " + table.table()
                    + " belong to different Stowline clients: a relay sends to the queues of its account");
        }
        QueueTimeLimits.delayWithin(message.delay(), message.timeToLive());
        EncodedOperation largest =
                row(partitionKey, key, message, " ".repeat(message.maxBytes())).insert(table);
        return new PlannedMessage(key, message, largest);
    }

    private static OutboxRow row(String partitionKey, OutboxKey key, PreparedMessage message, String text) {
        return new OutboxRow(partitionKey, key.text(), message.queue(), text, message.delay(), message.timeToLive());
    }

    @Override
    public Mono<List<WriteResult>> commit(
            TableOperations table,
            String partitionKey,
            List<PlannedMessage> messages,
            Function<List<EncodedOperation>, Mono<List<WriteResult>>> transaction) {
        OutboxHint hint = new OutboxHint(table.table(), messages.get(0).key().id(), partitionKey);
        return written(partitionKey, messages, List.of(), rows -> hints.send(hint, delay(table), table.retry())
                .flatMap(sent -> transaction
                        .apply(rows.stream().map(row -> row.insert(table)).toList())
                        .doOnSuccess(done -> deliver(table, hint, rows, sent))
                        .doOnError(ClientOutbox::isRefused, refused -> end(hint, hints.remove(sent)))));
    }

    /** Returns whether the service has refused a transaction for certain, as a whole or for one operation: nothing of it comes later. */
    private static boolean isRefused(Throwable error) {
        boolean refusal = error instanceof TransactionFailedException
                || error instanceof BadRequestException
                || error instanceof NotFoundException
                || error instanceof AuthenticationException;
        return refusal && ((StorageException) error).failure().unansweredAttempts() == 0;
    }

    private static Duration delay(TableOperations table) {
        Duration delay = table.retry().deadline().plus(MARGIN);
        return QueueTimeLimits.delay(delay.compareTo(MAX_DELAY) < 0 ? delay : MAX_DELAY);
    }

    /** Writes the texts of the messages one after the other: each may have a body that goes to a blob before all that follows. */
    private Mono<List<WriteResult>> written(
            String partitionKey,
            List<PlannedMessage> messages,
            List<OutboxRow> rows,
            Function<List<OutboxRow>, Mono<List<WriteResult>>> use) {
        if (rows.size() == messages.size()) {
            return use.apply(rows);
        }
        PlannedMessage next = messages.get(rows.size());
        return next.message().written(text -> {
            List<OutboxRow> more = new ArrayList<>(rows);
            more.add(row(partitionKey, next.key(), next.message(), text));
            return written(partitionKey, messages, more, use);
        });
    }

    private void deliver(TableOperations table, OutboxHint hint, List<OutboxRow> rows, SendResult sent) {
        Mono<Void> work = deliveries.incrementAndGet() > MAX_DELIVERIES
                ? Mono.empty()
                : delivery.first(table, rows).then(Mono.defer(() -> hints.remove(sent)));
        end(hint, work.doFinally(end -> deliveries.decrementAndGet()));
    }

    /** Runs work that no caller waits for. Closing the client waits for it as for an operation. */
    private void end(OutboxHint hint, Mono<Void> work) {
        queues.queue(HintQueue.NAME)
                .asOperation("relay", hint::resource, work)
                .subscribe(
                        nothing -> {},
                        e -> LOG.info(
                                "messages of a transaction in {} wait for the relay: {}", hint.table(), e.toString()));
    }
}
