package io.stowline.queue.internal.client;

import io.stowline.error.StorageInterruptedException;
import io.stowline.queue.MessageLease;
import io.stowline.queue.ReactiveMessageLease;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.concurrent.Callbacks;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link MessageLease} over a {@link LeaseKeeper}. */
final class DefaultMessageLease<T> extends MessageContent<T> implements MessageLease<T> {

    private static final Logger LOG = LoggerFactory.getLogger(MessageLease.class);
    private final LeaseKeeper keeper;
    private final Callbacks callbacks;

    DefaultMessageLease(LeaseKeeper keeper, MessageBody<T> body, Callbacks callbacks) {
        super(keeper.header(), body);
        this.keeper = keeper;
        this.callbacks = callbacks;
    }

    static <T> DefaultMessageLease<T> of(MessageLease<T> message) {
        if (message instanceof DefaultMessageLease<T> ours) {
            return ours;
        }
        throw new IllegalArgumentException(
                "the message " + message.id() + " is a " + message.getClass().getName());
    }

    LeaseKeeper keeper() {
        return keeper;
    }

    @Override
    public String eventId() {
        MessageEnvelope envelope = keeper.envelope();
        return envelope == null ? id() : envelope.id();
    }

    @Override
    public Optional<String> checkpoint() {
        MessageEnvelope envelope = keeper.envelope();
        return envelope == null ? Optional.empty() : Optional.ofNullable(envelope.checkpoint());
    }

    @Override
    public void checkpoint(String text) {
        BlockingAwait.on(verbs(false).checkpoint(text));
    }

    @Override
    public Duration remaining() {
        return keeper.remaining();
    }

    @Override
    public boolean isLost() {
        return keeper.lostBy() != null;
    }

    @Override
    public void onLost(Runnable task) {
        keeper.onLost(Objects.requireNonNull(task, "task"));
    }

    @Override
    public void complete() {
        BlockingAwait.on(verbs(false).complete());
    }

    @Override
    public void retryIn(Duration delay) {
        BlockingAwait.on(verbs(false).retryIn(delay));
    }

    @Override
    public void poison(String why) {
        BlockingAwait.on(verbs(false).poison(why));
    }

    @Override
    public void close() {
        try {
            BlockingAwait.onEvenIfInterrupted(verbs(false).close());
        } catch (StorageInterruptedException e) {
            LOG.debug("{} is given back while its caller is interrupted and does not wait", header().resource());
        }
    }

    @Override
    public ReactiveMessageLease reactive() {
        return verbs(true);
    }

    /** Results of a blocking call need no delivery: its caller waits for them. */
    private ReactiveMessageLease verbs(boolean delivered) {
        return new DefaultReactiveMessageLease(keeper, delivered ? callbacks::deliver : UnaryOperator.identity());
    }

    @Override
    public String toString() {
        return "MessageLease[" + header().resource() + ", dequeueCount=" + dequeueCount() + "]";
    }
}
