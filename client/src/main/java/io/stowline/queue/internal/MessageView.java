package io.stowline.queue.internal;

import io.stowline.transport.ReadOrigin;
import java.time.Instant;

/**
 * A message as anybody sees it.
 *
 * @param envelope what the service says of it
 * @param raw its text
 * @param origin which of the account's places gave it
 */
public record MessageView(MessageHeader envelope, String raw, ReadOrigin origin) {

    /**
     * A message of the primary.
     *
     * @param envelope what the service says of it
     * @param raw its text
     */
    public MessageView(MessageHeader envelope, String raw) {
        this(envelope, raw, ReadOrigin.primary());
    }

    MessageView from(ReadOrigin place) {
        return new MessageView(envelope, raw, place);
    }

    @Override
    public String toString() {
        return "Look[" + envelope + "]";
    }

    /**
     * What the service says of a message whoever reads it.
     *
     * @param queue where it is
     * @param id its id
     * @param dequeueCount how often it was received
     * @param insertedAt when it was put there
     * @param expiresAt when it will be dropped
     */
    public record MessageHeader(String queue, String id, long dequeueCount, Instant insertedAt, Instant expiresAt) {

        /**
         * How failures name it.
         *
         * @return queue and id
         */
        public String resource() {
            return queue + "(" + id + ")";
        }
    }

    /**
     * A message as its receiver gets it.
     *
     * @param look what anybody sees of it
     * @param lease the receiver's right to it
     */
    public record DeliveredMessage(MessageView look, MessageLease lease) {}
}
