package io.stowline.table.internal.outbox;

import io.stowline.error.AuthenticationException;
import io.stowline.error.BadRequestException;
import io.stowline.error.NotFoundException;
import io.stowline.error.StorageException;
import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.WriteResult;
import io.stowline.queue.SendResult;
import io.stowline.queue.SendSettings;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.queue.internal.client.PreparedMessage;
import io.stowline.queue.internal.consumer.ConsumerRegistry;
import io.stowline.queue.internal.rule.QueueTimeLimits;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.table.internal.codec.OutboxKey;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.table.internal.write.TransactionOutbox;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.observe.PipelineState.ConsumerGauges.GaugeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

    /** The least time between two warnings. */
    private static final Duration QUIET = Duration.ofMinutes(10);

    private final DeliveryRoom room = new DeliveryRoom();
    private final GaugeSource relays;
    private final ConsumerRegistry queues;
    private final HintQueue hints;
    private final OutboxDelivery delivery;
    private Deadline quiet;

    public ClientOutbox(ConsumerRegistry queues) {
        this.queues = queues;
        this.hints = new HintQueue(queues);
        this.delivery = new OutboxDelivery(queues);
        this.relays = queues.relaysOf(HintQueue.NAME);
        this.quiet = Deadline.in(Duration.ZERO, queues.timer());
    }

    HintQueue hints() {
        return hints;
    }

    OutboxDelivery delivery() {
        return delivery;
    }

    @Override
    public PlannedMessage message(
            TableOperations operations,
            String partitionKey,
            OutboxKey key,
            Object queue,
            Object body,
            UnaryOperator<SendSettings.Builder> settings) {
        PreparedMessage message = PreparedMessage.of(queue, body, settings);
        if (message.client() != queues) {
            throw new IllegalArgumentException("the queue " + message.queue() + " and the table " + operations.table()
                    + " belong to different Stowline clients: a relay sends to the queues of its account");
        }
        QueueTimeLimits.delayWithin(message.delay(), message.timeToLive());
        EncodedOperation largest =
                row(partitionKey, key, message, " ".repeat(message.maxBytes())).insert(operations);
        return new PlannedMessage(key, message, largest);
    }

    private static OutboxRow row(String partitionKey, OutboxKey key, PreparedMessage message, String text) {
        return new OutboxRow(partitionKey, key.text(), message.queue(), text, message.delay(), message.timeToLive());
    }

    @Override
    public Mono<List<WriteResult>> commit(
            TableOperations operations,
            String partitionKey,
            List<PlannedMessage> messages,
            Function<List<EncodedOperation>, Mono<List<WriteResult>>> transaction) {
        OutboxHint hint =
                new OutboxHint(operations.table(), messages.get(0).key().id(), partitionKey);
        Mono<List<WriteResult>> work = written(partitionKey, messages, List.of(), rows -> hints.send(
                        hint, delay(operations), operations.retry())
                .flatMap(sent -> transaction
                        .apply(rows.stream().map(row -> row.insert(operations)).toList())
                        .doOnSuccess(done -> deliver(operations, hint, rows, sent))
                        .doOnError(ClientOutbox::isRefused, refused -> end(hint, hints.remove(sent)))));
        // The envelopes of the messages continue the trace of this operation.
        return operations.asOperation("commit", hint::resource, work);
    }

    /** Returns whether the service has refused a transaction for certain, as a whole or for one operation: nothing of it comes later. */
    private static boolean isRefused(Throwable error) {
        boolean refusal = error instanceof TransactionFailedException
                || error instanceof BadRequestException
                || error instanceof NotFoundException
                || error instanceof AuthenticationException;
        return refusal && ((StorageException) error).failure().unansweredAttempts() == 0;
    }

    private static Duration delay(TableOperations operations) {
        Duration delay = operations.retry().deadline().plus(MARGIN);
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

    private void deliver(TableOperations operations, OutboxHint hint, List<OutboxRow> rows, SendResult sent) {
        end(
                hint,
                Mono.defer(() -> room.enter(rows)
                        ? delivery.first(operations, rows)
                                .then(Mono.defer(() -> hints.remove(sent)))
                                .doFinally(end -> room.leave(rows))
                        : Mono.error(new IllegalStateException("the client sends " + DeliveryRoom.MAX_MESSAGES
                                + " messages after their commits, or " + DeliveryRoom.MAX_TO_QUEUE
                                + " to one queue: more are left to the relay"))));
    }

    /** Runs work that no caller waits for. Closing the client waits for it as for an operation. */
    private void end(OutboxHint hint, Mono<Void> work) {
        QueueOperations queue = queues.queue(HintQueue.NAME);
        queue.detached(queue.asOperation("deliver", hint::resource, work))
                .subscribe(nothing -> {}, e -> waits(hint.table(), e));
    }

    /** A client knows its own relays only: another process may run one. */
    private void waits(String table, Throwable why) {
        if (relays.running() == 0 && mayWarn()) {
            LOG.warn(
                    "messages of a transaction in {} wait for a relay, and this client runs none: unless another"
                            + " process of the account runs one, they stay until outbox().relay() is called: {}",
                    table,
                    why.toString());
        } else {
            LOG.info("messages of a transaction in {} wait for a relay: {}", table, why.toString());
        }
    }

    private synchronized boolean mayWarn() {
        boolean expired = quiet.expired();
        if (expired) {
            quiet = Deadline.in(QUIET, queues.timer());
        }
        return expired;
    }
}
