package io.stowline.spring.boot.listener;

/**
 * The names of the headers that a listener method can take by {@code @Header}. The standard header {@code timestamp} is the time of insertion
 * in milliseconds.
 */
public final class QueueMessageHeaders {

    /** The id of the listener, a {@code String}; batches have it, too. */
    public static final String LISTENER_ID = "listenerId";

    /** The name of the queue, a {@code String}; batches have it, too. */
    public static final String QUEUE = "queue";

    /** The id of the message, a {@code String}. */
    public static final String MESSAGE_ID = "messageId";

    /** The number of receipts of the message, this one included, a {@code Long}. */
    public static final String DEQUEUE_COUNT = "dequeueCount";

    /** The time at which the message was put into the queue, an {@code Instant}. */
    public static final String INSERTED_AT = "insertedAt";

    /** The time at which the service will drop the message, an {@code Instant}. */
    public static final String EXPIRES_AT = "expiresAt";

    private QueueMessageHeaders() {}
}
