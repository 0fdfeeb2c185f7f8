package io.stowline.queue.internal.consumer;

import io.stowline.observe.ConsumerEvent;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.consumer.lease.KeeperEnvironment;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The environment of a consumer.
 *
 * @param keepers the environment of its messages
 * @param histories the memory of the client for messages that come again
 * @param bodies opens the envelope of a message and reads its body from a blob; failures are in the result
 * @param listener receives results
 */
public record ConsumerEnvironment(
        KeeperEnvironment keepers,
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
         * @param end how it ended
         */
        void ended(MessageHeader message, @Nullable String eventId, DeliveryEnd end);
    }

    /**
     * The end of a delivery.
     *
     * @param result how it ended
     * @param error the error of its deletion or its copy, or {@code null}
     * @param reason why it is poison, or {@code null}
     * @param failure the failure of its handling, or {@code null}
     */
    public record DeliveryEnd(
            ConsumerEvent.Result result,
            @Nullable Throwable error,
            @Nullable String reason,
            @Nullable Throwable failure) {}
}
