package io.stowline.queue.internal.client;

import io.stowline.queue.MessageLease;
import io.stowline.queue.QueueConsumer;
import java.util.List;
import java.util.Objects;

/** {@link QueueConsumer.Batch} of leased messages. */
final class DefaultBatch<T> implements QueueConsumer.Batch<T> {

    private final List<MessageLease<T>> messages;

    DefaultBatch(List<MessageLease<T>> messages) {
        this.messages = List.copyOf(messages);
    }

    @Override
    public List<MessageLease<T>> messages() {
        return messages;
    }

    @Override
    public void fail(MessageLease<T> message, Throwable cause) {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(cause, "cause");
        if (!messages.contains(message)) {
            throw new IllegalArgumentException("the message " + message.id() + " is not in this batch");
        }
        DefaultMessageLease.of(message).keeper().failure().fail(cause);
    }
}
