package io.stowline.queue.internal.consumer;

import io.stowline.observe.ConsumerEvent;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.body.EnvelopeFormat;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The environment of a consumer.
 *
 * @param timer the clock and alarm of all waits
 * @param random draws the jitter
 * @param callbacks runs the application's callbacks
 * @param envelopes the form of envelopes, or {@code null} if messages have none
 * @param histories the memory of the client for messages that come again
 * @param bodies opens the envelope of a message and reads its body from a blob; failures are in the result
 * @param listener receives results
 */
public record ConsumerEnvironment(
        Scheduler timer,
        RandomGenerator random,
        Executor callbacks,
        @Nullable EnvelopeFormat envelopes,
        DeliveryHistories histories,
        Function<MessageView, Mono<MessageView>> bodies,
        ResultListener listener) {

    /** A listener for the ends of deliveries. It is quick and throws nothing. */
    @FunctionalInterface
    public interface ResultListener {

        /**
         * Receives the end of a delivery.
         *
         * @param message its header
         * @param eventId the id of its envelope, or {@code null}
         * @param error the error of its deletion or its copy, or {@code null}
         */
        void ended(
                MessageHeader message,
                @Nullable String eventId,
                ConsumerEvent.Result result,
                @Nullable Throwable error);
    }
}
