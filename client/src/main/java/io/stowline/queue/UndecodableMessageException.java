package io.stowline.queue;

import io.stowline.error.internal.PrintableText;
import org.jspecify.annotations.Nullable;

/**
 * Signals a message body that the queue's codec cannot read. The message itself is sound: it can be updated and deleted, and
 * {@link ReceivedMessage#raw()} has its text. Neither this exception nor its causes quote the body.
 */
public final class UndecodableMessageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String queue;
    private final String messageId;

    /**
     * Describes a message whose body cannot be read.
     *
     * @param queue the queue
     * @param messageId the message
     * @param why the reason, in one line
     * @param cause the failure of the codec, if there is one
     */
    public UndecodableMessageException(String queue, String messageId, String why, @Nullable Throwable cause) {
        super(PrintableText.of("message " + messageId + " of queue " + queue + " cannot be decoded: " + why), cause);
        this.queue = queue;
        this.messageId = messageId;
    }

    /**
     * Returns where the message is.
     *
     * @return the queue's name
     */
    public String queue() {
        return queue;
    }

    /**
     * Returns which message it is.
     *
     * @return the id that the service gave it
     */
    public String messageId() {
        return messageId;
    }
}
