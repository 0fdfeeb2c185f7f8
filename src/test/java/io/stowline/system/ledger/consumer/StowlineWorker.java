package io.stowline.system.ledger.consumer;

import io.stowline.Stowline;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.observe.ConsumerEvent;
import io.stowline.observe.OperationInfo;
import io.stowline.observe.OperationListener;
import io.stowline.observe.RequestEnd;
import io.stowline.observe.StowlineListener;
import io.stowline.queue.MessageLease;
import io.stowline.retry.Backoff;
import io.stowline.retry.StopReason;
import io.stowline.system.ledger.consumer.DeliveryReport.Certainty;
import io.stowline.system.ledger.consumer.DeliveryReport.Claim;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/** A consumer of Stowline with a client to itself, as a process has it. */
final class StowlineWorker implements AutoCloseable {

    private final int number;
    private final HandlerScript script;
    private final HandlingEvents events;
    private final Stowline storage;

    /** A consumer that runs until its client is closed, which takes this long at most; its handlers have half of it. */
    StowlineWorker(
            int number,
            String connectionString,
            String queue,
            Duration closeTimeout,
            HandlerScript script,
            HandlingEvents events) {
        this.number = number;
        this.script = script;
        this.events = events;
        this.storage = Stowline.builder()
                .connectionString(connectionString)
                .closeTimeout(closeTimeout)
                .listener(new StowlineListener() {
                    @Override
                    public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
                        return begun();
                    }

                    @Override
                    public void onConsumerEvent(ConsumerEvent event) {
                        ended(event);
                    }
                })
                .build();
        storage.queue(queue)
                .consume(this::handle)
                .concurrency(ConsumerSeed.HANDLERS)
                .lease(HandlerScript.LEASE)
                .retryDelay(Backoff.fixed(Duration.ofSeconds(1)))
                .pollDelay(Duration.ofMillis(100), ConsumerSeed.MAX_PAUSE)
                .stopTimeout(ConsumerSeed.STOP)
                .start();
    }

    /** The client counts a lease from before its request; on a slow machine that comes much later. */
    private OperationListener begun() {
        long begun = System.nanoTime();
        return new OperationListener() {
            @Override
            public void onRequestEnd(RequestEnd request) {
                if (request.stop() == StopReason.SUCCEEDED) {
                    events.received(request.clientRequestId(), begun);
                }
            }
        };
    }

    private void handle(MessageLease<String> message) throws InterruptedException {
        events.begins(number, message.id(), message.dequeueCount());
        try {
            script.handle(message.body(), message.dequeueCount());
        } catch (InterruptedException e) {
            events.interrupted();
            throw e;
        }
        events.handles(message.id());
        if (script.of(message.body()) == HandlerScript.Handling.ENDS_ITSELF) {
            Throwable failure = null;
            try {
                message.complete();
            } catch (RuntimeException e) {
                failure = e;
            }
            events.reports(DeliveryReport.now(
                    number,
                    message.id(),
                    message.dequeueCount(),
                    Claim.DELETED,
                    certainty(failure),
                    "complete(): " + failure));
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
        events.ends(DeliveryReport.now(
                number,
                event.messageId(),
                0,
                claim,
                open ? Certainty.UNKNOWN : certainty(event.error()),
                event.result() + ", " + event.error()));
    }

    private static Certainty certainty(@Nullable Throwable error) {
        if (error instanceof StorageInterruptedException interrupted) {
            boolean untouched = interrupted
                    .failure()
                    .map(details -> details.unansweredAttempts() == 0)
                    .orElse(false);
            return untouched ? Certainty.REFUSED : Certainty.UNKNOWN;
        }
        return error == null
                ? Certainty.CONFIRMED
                : error instanceof OutcomeUnknownException ? Certainty.UNKNOWN : Certainty.REFUSED;
    }

    @Override
    public void close() {
        storage.close();
    }
}
