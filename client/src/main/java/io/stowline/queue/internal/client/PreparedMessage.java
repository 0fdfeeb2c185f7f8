package io.stowline.queue.internal.client;

import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.queue.SendSettings;
import io.stowline.queue.internal.body.OutgoingMessage;
import io.stowline.queue.internal.consumer.ConsumerRegistry;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A message that is encoded for a queue now, and goes there later by its text. Immutable.
 *
 * @param client the queues of the client to which its queue belongs
 * @param queue the name of its queue
 * @param folder the folder of the blobs with bodies
 * @param delay how long it stays hidden once it is sent, or {@code null} for not at all
 * @param timeToLive how long it is kept once it is sent, or {@code null} for the service's default
 */
public record PreparedMessage(
        ConsumerRegistry client,
        String queue,
        String folder,
        OutgoingMessage message,
        @Nullable Duration delay,
        @Nullable Duration timeToLive) {

    /**
     * Encodes a message on the caller's thread.
     *
     * @param queue a queue, blocking or reactive
     * @throws IllegalArgumentException if it is not one of this library, or the body has no room
     */
    public static <M> PreparedMessage of(Object queue, M body, UnaryOperator<SendSettings.Builder> settings) {
        QueueContext<M> context = context(Objects.requireNonNull(queue, "queue"));
        SendSettings chosen = MessageSender.chosen(settings);
        return new PreparedMessage(
                context.consumers(),
                context.operations().name(),
                context.folder(),
                context.format()
                        .outgoing(
                                Objects.requireNonNull(body, "body"),
                                chosen.eventId().orElse(null)),
                chosen.delay().orElse(null),
                chosen.timeToLive().orElse(null));
    }

    @SuppressWarnings("unchecked") // the caller has both from the face
    private static <M> QueueContext<M> context(Object queue) {
        if (queue instanceof DefaultMessageQueue<?>) {
            return DefaultMessageQueue.contextOf((MessageQueue<M>) queue);
        }
        if (queue instanceof DefaultReactiveMessageQueue<?>) {
            return DefaultReactiveMessageQueue.contextOf((ReactiveMessageQueue<M>) queue);
        }
        throw new IllegalArgumentException(
                queue.getClass().getName() + " is no queue of a Stowline: no relay can send to it");
    }

    /** Returns the most bytes of its text. */
    public int maxBytes() {
        return message.maxBytes(folder);
    }

    /** Hands on its text, whose body may have to go to a blob first. That stays unless the use has certainly failed. */
    public <R> Mono<R> written(Function<String, Mono<R>> use) {
        return message.written(folder, timeToLive, use);
    }
}
