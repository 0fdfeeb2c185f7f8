package io.stowline.queue.internal.consumer;

import io.stowline.observe.ConsumerEvent;
import io.stowline.queue.internal.EnvelopeFormat;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.MessageHeader;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * What a consumer stands on.
 *
 * @param timer the clock and alarm of all waits
 * @param random draws the jitter
 * @param callbacks runs what the application wants to hear of
 * @param envelopes how envelopes are written, or {@code null} if messages have none
 * @param histories the memory of the client for messages that come again
 * @param bodies opens the envelope of a message and reads its body from a blob; what fails is in the result
 * @param listener hears of results
 */
public record ConsumerEnvironment(
        Scheduler timer,
        RandomGenerator random,
        Executor callbacks,
        @Nullable EnvelopeFormat envelopes,
        DeliveryHistories histories,
        Function<MessageView, Mono<MessageView>> bodies,
        ResultListener listener) {

    /** Hears how deliveries end. It is quick and throws nothing. */
    @FunctionalInterface
    public interface ResultListener {

        /**
         * A delivery has ended.
         *
         * @param message what the service says of it
         * @param eventId the id of its envelope, or {@code null}
         * @param error what the service answered to its deletion or its copy, or {@code null}
         */
        void ended(
                MessageHeader message,
                @Nullable String eventId,
                ConsumerEvent.Result result,
                @Nullable Throwable error);
    }
}
