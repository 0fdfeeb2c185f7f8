package io.stowline.spring.boot.listener;

import io.stowline.queue.MessageLease;
import io.stowline.queue.QueueConsumer;
import java.util.Map;
import java.util.UUID;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;

/**
 * A message or a batch as Spring Messaging sees it.
 *
 * @param payload the body, or the list of bodies
 * @param headers what {@link QueueMessageHeaders} names
 * @param source the {@link MessageLease} or the {@link QueueConsumer.Batch}
 */
record ListenedMessage(Object payload, MessageHeaders headers, Object source) implements Message<Object> {

    static <T> ListenedMessage of(String listener, String queue, MessageLease<T> lease) {
        Map<String, Object> headers = Map.of(
                QueueMessageHeaders.LISTENER_ID, listener,
                QueueMessageHeaders.QUEUE, queue,
                QueueMessageHeaders.MESSAGE_ID, lease.id(),
                QueueMessageHeaders.DEQUEUE_COUNT, lease.dequeueCount(),
                QueueMessageHeaders.INSERTED_AT, lease.insertedAt(),
                QueueMessageHeaders.EXPIRES_AT, lease.expiresAt());
        return new ListenedMessage(
                lease.body(), new Known(headers, lease.insertedAt().toEpochMilli()), lease);
    }

    static <T> ListenedMessage of(String listener, String queue, QueueConsumer.Batch<T> batch) {
        Map<String, Object> headers =
                Map.of(QueueMessageHeaders.LISTENER_ID, listener, QueueMessageHeaders.QUEUE, queue);
        return new ListenedMessage(
                batch.messages().stream().map(MessageLease::body).toList(), new Known(headers, -1L), batch);
    }

    @Override
    public Object getPayload() {
        return payload;
    }

    @Override
    public MessageHeaders getHeaders() {
        return headers;
    }

    /** Shows no body. */
    @Override
    public String toString() {
        return "ListenedMessage[" + source + "]";
    }

    /** Headers without the random id that Spring Messaging would draw for each message. */
    private static final class Known extends MessageHeaders {

        private static final long serialVersionUID = 1L;

        Known(Map<String, Object> headers, long timestamp) {
            super(headers, noId(), timestamp);
        }

        private static UUID noId() {
            return ID_VALUE_NONE;
        }
    }
}
