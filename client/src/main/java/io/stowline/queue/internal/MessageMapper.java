package io.stowline.queue.internal;

import com.azure.core.util.BinaryData;
import com.azure.storage.queue.models.PeekedMessageItem;
import com.azure.storage.queue.models.QueueMessageItem;
import com.azure.storage.queue.models.SendMessageResult;
import com.azure.storage.queue.models.UpdateMessageResult;
import io.stowline.queue.SendResult;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.LeaseReceipt.LeaseTimer;
import io.stowline.queue.internal.MessageView.MessageHeader;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the SDK read, in our words. An answer in which something is missing is refused with an exception. */
final class MessageMapper {

    private MessageMapper() {}

    static SendResult sent(SendMessageResult message, boolean repeated) {
        return new SendResult(
                message.getMessageId(),
                message.getPopReceipt(),
                time(message.getInsertionTime()),
                time(message.getExpirationTime()),
                time(message.getTimeNextVisible()),
                repeated);
    }

    static DeliveredMessage delivery(String queue, QueueMessageItem message, LeaseTimer tenure) {
        MessageHeader envelope = envelope(
                queue,
                message.getMessageId(),
                message.getDequeueCount(),
                message.getInsertionTime(),
                message.getExpirationTime());
        LeaseReceipt lease = new LeaseReceipt(message.getPopReceipt(), time(message.getTimeNextVisible()), tenure);
        return new DeliveredMessage(new MessageView(envelope, text(message.getBody())), lease);
    }

    static MessageView look(String queue, PeekedMessageItem message) {
        MessageHeader envelope = envelope(
                queue,
                message.getMessageId(),
                message.getDequeueCount(),
                message.getInsertionTime(),
                message.getExpirationTime());
        return new MessageView(envelope, text(message.getBody()));
    }

    static LeaseReceipt lease(UpdateMessageResult renewed, LeaseTimer tenure) {
        return new LeaseReceipt(renewed.getPopReceipt(), time(renewed.getTimeNextVisible()), tenure);
    }

    private static MessageHeader envelope(
            String queue,
            @Nullable String id,
            long dequeueCount,
            @Nullable OffsetDateTime inserted,
            @Nullable OffsetDateTime expires) {
        return new MessageHeader(queue, Objects.requireNonNull(id), dequeueCount, time(inserted), time(expires));
    }

    private static Instant time(@Nullable OffsetDateTime time) {
        return Objects.requireNonNull(time, "a time").toInstant();
    }

    /** The SDK has no body where the text is empty. */
    private static String text(@Nullable BinaryData body) {
        return body == null ? "" : body.toString();
    }
}
