package io.stowline.queue;

import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link MessageLease}: the methods that end the message. Nothing happens before a subscription; cancelling it
 * does not stop an ending that has begun. Failures are those of {@link MessageLease}.
 *
 * <p>Thread-safe.
 */
public interface ReactiveMessageLease {

    /**
     * Stores how far the handling has come; see {@link MessageLease#checkpoint(String)}.
     *
     * @param text the checkpoint, at most 1,000 bytes of JSON in UTF-8
     * @return the end of it
     */
    Mono<Void> checkpoint(String text);

    /**
     * Deletes the message; see {@link MessageLease#complete}.
     *
     * @return the end of it
     */
    Mono<Void> complete();

    /**
     * Hides the message for a time; see {@link MessageLease#retryIn}.
     *
     * @param delay how long, up to 7 days
     * @return the end of it
     */
    Mono<Void> retryIn(Duration delay);

    /**
     * Moves the message to the poison queue; see {@link MessageLease#poison}.
     *
     * @param why the reason
     * @return the end of it
     */
    Mono<Void> poison(String why);

    /**
     * Gives the message back; see {@link MessageLease#close}.
     *
     * @return the end of it, never an error
     */
    Mono<Void> close();
}
