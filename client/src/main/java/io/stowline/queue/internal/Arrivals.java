package io.stowline.queue.internal;

import com.azure.core.util.BinaryData;
import com.azure.storage.queue.models.PeekedMessageItem;
import com.azure.storage.queue.models.QueueMessageItem;
import com.azure.storage.queue.models.SendMessageResult;
import com.azure.storage.queue.models.UpdateMessageResult;
import io.stowline.queue.Sent;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the SDK read, in our words. An answer in which something is missing is refused with an exception. */
final class Arrivals {

    private Arrivals() {}

    static Sent sent(SendMessageResult message, boolean repeated) {
        return new Sent(
                message.getMessageId(),
                message.getPopReceipt(),
                time(message.getInsertionTime()),
                time(message.getExpirationTime()),
                time(message.getTimeNextVisible()),
                repeated);
    }

    static Delivery delivery(String queue, QueueMessageItem message, Tenure tenure) {
        Envelope envelope = envelope(
                queue,
                message.getMessageId(),
                message.getDequeueCount(),
                message.getInsertionTime(),
                message.getExpirationTime());
        Lease lease = new Lease(message.getPopReceipt(), time(message.getTimeNextVisible()), tenure);
        return new Delivery(new Look(envelope, text(message.getBody())), lease);
    }

    static Look look(String queue, PeekedMessageItem message) {
        Envelope envelope = envelope(
                queue,
                message.getMessageId(),
                message.getDequeueCount(),
                message.getInsertionTime(),
                message.getExpirationTime());
        return new Look(envelope, text(message.getBody()));
    }

    static Lease lease(UpdateMessageResult renewed, Tenure tenure) {
        return new Lease(renewed.getPopReceipt(), time(renewed.getTimeNextVisible()), tenure);
    }

    private static Envelope envelope(
            String queue,
            @Nullable String id,
            long dequeueCount,
            @Nullable OffsetDateTime inserted,
            @Nullable OffsetDateTime expires) {
        return new Envelope(queue, Objects.requireNonNull(id), dequeueCount, time(inserted), time(expires));
    }

    private static Instant time(@Nullable OffsetDateTime time) {
        return Objects.requireNonNull(time, "a time").toInstant();
    }

    /** The SDK has no body where the text is empty. */
    private static String text(@Nullable BinaryData body) {
        return body == null ? "" : body.toString();
    }
}
