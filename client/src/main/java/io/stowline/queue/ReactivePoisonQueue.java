package io.stowline.queue;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link PoisonQueue}: the same methods, as {@code Mono}. Nothing is sent before a subscription. Thread-safe.
 *
 * @param <T> the type of the bodies
 */
public interface ReactivePoisonQueue<T> {

    /**
     * Returns the name of the poison queue.
     *
     * @return the name
     */
    String name();

    /**
     * Returns how many messages there are; see {@link PoisonQueue#count}.
     *
     * @return about the number, never less than it
     */
    Mono<Long> count();

    /**
     * Looks at messages; see {@link PoisonQueue#peek}.
     *
     * @param max how many at most, 1 to 32
     * @return the first ones, an empty list if there are none
     */
    Mono<List<PoisonQueue.Message<T>>> peek(int max);

    /**
     * Sends messages back to their queue; see {@link PoisonQueue#redrive}.
     *
     * @param filter which messages
     * @return how many were moved
     */
    Mono<Long> redrive(Predicate<? super PoisonQueue.Message<T>> filter);

    /**
     * Removes chosen messages with their bodies; see {@link PoisonQueue#remove}.
     *
     * @param filter which messages
     * @return how many were removed
     */
    Mono<Long> remove(Predicate<? super PoisonQueue.Message<T>> filter);

    /**
     * Looks at all messages; see {@link PoisonQueue#forEach}.
     *
     * @param action receives each message
     * @return the end of it
     */
    Mono<Void> forEach(Consumer<? super PoisonQueue.Message<T>> action);

    /**
     * Removes all messages with their bodies; see {@link PoisonQueue#clear}.
     *
     * @return the end of it
     */
    Mono<Void> clear();
}
