package io.stowline.retry.internal.timeout;

import io.stowline.retry.Attempt;
import io.stowline.retry.AttemptTimeoutException;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Ends an attempt in its time: the client's side of {@link Attempt#clientTimeout()}. */
public final class AttemptTimeout {

    private AttemptTimeout() {}

    /**
     * Returns the source with the attempt's time, which is computed and starts to run when the result is first
     * requested. When it is over before the first signal, the source is cancelled and the Mono fails with {@link
     * AttemptTimeoutException}, on the timer's thread; with no time left the source is not subscribed to. A result that
     * comes too late goes to the discard hook of the Reactor context.
     *
     * @param <T> the type of the result
     * @param attempt knows the time
     * @param source sends the attempt
     * @param timer runs the one timer of each subscriber
     * @return the source with its time
     */
    public static <T> Mono<T> of(Attempt attempt, Mono<T> source, Scheduler timer) {
        return AttemptTimeoutMono.of(source, attempt, timer);
    }
}
