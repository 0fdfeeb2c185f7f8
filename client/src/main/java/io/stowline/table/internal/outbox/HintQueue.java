package io.stowline.table.internal.outbox;

import io.stowline.error.NotFoundException;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.SendResult;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.queue.internal.client.DefaultMessageQueue;
import io.stowline.queue.internal.client.PreparedMessage;
import io.stowline.queue.internal.consumer.ConsumerRegistry;
import io.stowline.queue.internal.rule.QueueTimeLimits;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.outcome.StagedStep;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** The queue with the hints of an account. The first hint makes it, or the first poll of a relay. Thread-safe. */
final class HintQueue {

    static final String NAME = "stowline-outbox";

    /** The proof that the send of a hint changes no entity. */
    private static final String BEFORE_COMMIT = "the transaction is sent after its hint";

    private static final Logger LOG = LoggerFactory.getLogger(HintQueue.class);

    private final ConsumerRegistry queues;

    HintQueue(ConsumerRegistry queues) {
        this.queues = queues;
    }

    /** Returns the queue as its consumer has it. Envelopes count deliveries that are given back, so that none of them makes a hint poison. */
    MessageQueue<String> queue() {
        return DefaultMessageQueue.of(queues, NAME, String.class).withEnvelope(envelope -> envelope);
    }

    /** Returns the builder of its consumer, which makes it if it is missing: an account without it has had no hint. */
    QueueConsumer.Builder consume(Function<MessageLease<String>, Mono<Void>> handler) {
        return DefaultMessageQueue.creatingConsumer(queue(), handler);
    }

    /**
     * Sends a hint that becomes visible after a delay, and never expires. If its end is unknown there may be a hint to nothing.
     *
     * @param retry the settings of the table, whose caller waits
     */
    Mono<SendResult> send(OutboxHint hint, Duration delay, RetrySettings retry) {
        QueueOperations operations = queues.queue(NAME).with(retry);
        Mono<SendResult> sending = PreparedMessage.of(queue(), hint.text(), settings -> settings)
                .written(text -> operations.send(text, delay, QueueTimeLimits.NEVER));
        return StagedStep.of(BEFORE_COMMIT, sending.onErrorResume(HintQueue::isMissing, absent -> operations
                .createIfMissing()
                .then(sending)));
    }

    /** A lost response before leaves the outcome open: a repetition is a hint to nothing at the worst. */
    private static boolean isMissing(Throwable error) {
        return error instanceof NotFoundException || error.getCause() instanceof NotFoundException;
    }

    /** Returns the clock of the service, by which the age of a fence is known. */
    Mono<Instant> serviceTime() {
        return queues.queue(NAME).serviceTime();
    }

    /** Removes a hint that is not needed. One that stays is a request for nothing. */
    Mono<Void> remove(SendResult hint) {
        return queues.queue(NAME).delete(hint).then().onErrorResume(RuntimeException.class, e -> {
            LOG.debug("the hint {} stays for the relay", hint.id(), e);
            return Mono.empty();
        });
    }
}
