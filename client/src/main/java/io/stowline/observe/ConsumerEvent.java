package io.stowline.observe;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The end of one delivery of a message to a queue consumer. Immutable.
 *
 * @param account the account's name
 * @param queue the queue's name
 * @param messageId the id that the service gave the message: for logs, never for a metric
 * @param eventId the id of the message's envelope, which all copies of one send share; {@code null} if it has none of the library's
 * @param result how the delivery ended
 * @param error the failure of the request that ended it, if it failed: the deletion of a completed message, or its copy to the poison queue;
 *     {@code null} otherwise
 * @param reason why the message is poison, as the poison queue has it; {@code null} unless the result is {@link Result#POISONED} or {@link
 *     Result#POISON_FAILED}
 * @param failure the failure of the handling that led to the result: the exception of the handler, that of its timeout, or that of a body that
 *     cannot be decoded. A delivery that no handler gets, such as one after a copy that failed, has the last failure of the message in this
 *     process; {@code null} if it knows none, such as for a message whose handlers died with other processes
 */
public record ConsumerEvent(
        String account,
        String queue,
        String messageId,
        @Nullable String eventId,
        ConsumerEvent.Result result,
        @Nullable Throwable error,
        @Nullable String reason,
        @Nullable Throwable failure) {

    /**
     * Checks that everything is there.
     *
     * @param account the account's name
     * @param queue the queue's name
     * @param messageId the id that the service gave the message
     * @param eventId the id of the message's envelope, or {@code null}
     * @param result how the delivery ended
     * @param error the failure of the request that ended it, or {@code null}
     * @param reason why the message is poison, or {@code null}
     * @param failure the failure of the handling, or {@code null}
     */
    public ConsumerEvent {
        Objects.requireNonNull(account, "account");
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(messageId, "messageId");
        Objects.requireNonNull(result, "result");
    }

    /** The end of a delivery. */
    public enum Result {
        /** The message was handled. If its deletion failed, the client deletes it when it comes again. */
        COMPLETED,
        /** The handling failed, and the message stays hidden for the retry delay. */
        RETRIED,
        /** The message was copied to the poison queue. */
        POISONED,
        /** The message could not be copied to the poison queue, and stays. */
        POISON_FAILED,
        /** The message was given back without having been handled. */
        RELEASED,
        /** The consumer lost the message before its handling had ended. */
        LOST,
        /** The consumer was stopped before the handling had ended. */
        ABANDONED
    }
}
