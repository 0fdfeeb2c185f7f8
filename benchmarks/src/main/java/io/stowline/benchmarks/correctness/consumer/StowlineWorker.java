package io.stowline.benchmarks.correctness.consumer;

import io.stowline.Stowline;
import io.stowline.benchmarks.correctness.consumer.DeliveryReport.Certainty;
import io.stowline.benchmarks.correctness.consumer.DeliveryReport.Claim;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.observe.ConsumerEvent;
import io.stowline.observe.StowlineListener;
import io.stowline.queue.MessageLease;
import io.stowline.queue.QueueConsumer;
import io.stowline.retry.Backoff;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A consumer of Stowline with a client to itself, as a process has it. */
final class StowlineWorker implements AutoCloseable {

    private final int number;
    private final HandlerScript script;
    private final ReportBook book;
    private final Stowline storage;
    private final QueueConsumer consumer;

    StowlineWorker(int number, String connectionString, String queue, HandlerScript script, ReportBook book) {
        this.number = number;
        this.script = script;
        this.book = book;
        this.storage = Stowline.builder()
                .connectionString(connectionString)
                .listener(new StowlineListener() {
                    @Override
                    public void onConsumerEvent(ConsumerEvent event) {
                        ended(event);
                    }
                })
                .build();
        this.consumer = storage.queue(queue)
                .consume(this::handle)
                .concurrency(ConsumerSeed.HANDLERS)
                .lease(HandlerScript.LEASE)
                .retryDelay(Backoff.fixed(Duration.ofSeconds(1)))
                .pollDelay(Duration.ofMillis(100), ConsumerSeed.MOST_PAUSE)
                .start();
    }

    private void handle(MessageLease<String> message) throws InterruptedException {
        book.begins(number, message.id(), message.dequeueCount());
        try {
            script.handle(message.body());
        } catch (InterruptedException e) {
            book.interrupted();
            throw e;
        }
        book.handles(message.id());
        if (script.of(message.body()) == HandlerScript.Handling.ENDS_ITSELF) {
            Throwable failure = null;
            try {
                message.complete();
            } catch (RuntimeException e) {
                failure = e;
            }
            book.reports(
                    number,
                    message.id(),
                    message.dequeueCount(),
                    Claim.DELETED,
                    certainty(failure),
                    "complete(): " + failure);
        }
    }

    private void ended(ConsumerEvent event) {
        Claim claim =
                switch (event.result()) {
                    case COMPLETED -> Claim.DELETED;
                    case RETRIED, RELEASED, POISON_FAILED -> Claim.SHOWN_AGAIN;
                    case POISONED -> Claim.POISONED;
                    case LOST, ABANDONED -> Claim.LOST;
                };
        boolean open = event.result() == ConsumerEvent.Result.ABANDONED
                || event.result() == ConsumerEvent.Result.POISON_FAILED;
        book.ends(
                number,
                event.messageId(),
                claim,
                open ? Certainty.UNKNOWN : certainty(event.error()),
                event.result() + ", " + event.error());
    }

    private static Certainty certainty(@Nullable Throwable error) {
        return error == null
                ? Certainty.CONFIRMED
                : error instanceof OutcomeUnknownException ? Certainty.UNKNOWN : Certainty.REFUSED;
    }

    @Override
    public void close() {
        try {
            consumer.stop(ConsumerSeed.STOP);
        } finally {
            storage.close();
        }
    }
}
