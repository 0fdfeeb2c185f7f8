package io.stowline.queue;

import io.stowline.error.StorageException;
import io.stowline.queue.MessageLease.LeaseLostException;
import io.stowline.queue.internal.EnvelopeFormat;
import io.stowline.queue.internal.QueueTimeLimits;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper.LostLease;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link MessageLease}: the methods that end the message. Nothing happens before a subscription; cancelling it
 * does not stop an ending that has begun. Failures are those of {@link MessageLease}.
 *
 * <p>Thread-safe.
 */
public final class ReactiveMessageLease {

    private static final Logger LOG = LoggerFactory.getLogger(ReactiveMessageLease.class);

    private final LeaseKeeper keeper;
    private final UnaryOperator<Mono<Void>> delivery;

    ReactiveMessageLease(LeaseKeeper keeper, UnaryOperator<Mono<Void>> delivery) {
        this.keeper = keeper;
        this.delivery = delivery;
    }

    /**
     * Stores how far the handling has come; see {@link MessageLease#checkpoint(String)}.
     *
     * @param text the checkpoint, at most 1,000 bytes of JSON in UTF-8
     * @return the end of it
     */
    public Mono<Void> checkpoint(String text) {
        return meaning(keeper.checkpoint(EnvelopeFormat.checkpoint(text)));
    }

    /**
     * Deletes the message; see {@link MessageLease#complete}.
     *
     * @return the end of it
     */
    public Mono<Void> complete() {
        return meaning(keeper.complete());
    }

    /**
     * Hides the message for a time; see {@link MessageLease#retryIn}.
     *
     * @param delay how long, up to 7 days
     * @return the end of it
     */
    public Mono<Void> retryIn(Duration delay) {
        return meaning(keeper.retryIn(QueueTimeLimits.delay(delay)));
    }

    /**
     * Moves the message to the poison queue; see {@link MessageLease#poison}.
     *
     * @param why the reason
     * @return the end of it
     */
    public Mono<Void> poison(String why) {
        return meaning(keeper.poison(Objects.requireNonNull(why, "why"), null));
    }

    /**
     * Gives the message back; see {@link MessageLease#close}.
     *
     * @return the end of it, never an error
     */
    public Mono<Void> close() {
        return delivery.apply(keeper.giveBack()
                .onErrorResume(IllegalStateException.class, ended -> Mono.empty())
                .onErrorResume(StorageException.class, e -> {
                    LOG.warn("a message was not given back, and stays hidden until its lease ends", e);
                    return Mono.empty();
                }));
    }

    private Mono<Void> meaning(Mono<Void> ending) {
        return delivery.apply(
                ending.onErrorMap(LostLease.class, lost -> new LeaseLostException(String.valueOf(lost.getMessage()))));
    }
}
