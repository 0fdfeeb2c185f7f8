package io.stowline.retry.internal.timeout;

import io.stowline.retry.Attempt;
import io.stowline.retry.AttemptTimeoutException;
import java.util.Objects;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
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
     * @param attempt knows the time
     * @param source sends the attempt
     * @param timer runs the one timer of each subscriber
     */
    public static <T> Mono<T> of(Attempt attempt, Mono<T> source, Scheduler timer) {
        return AttemptTimeoutMono.of(source, attempt, timer);
    }

    /** Puts an {@link AttemptTimeoutRun} between each subscriber and the source. */
    static final class AttemptTimeoutMono<T> extends MonoOperator<T, T> {

        private final Attempt attempt;
        private final Scheduler timer;

        private AttemptTimeoutMono(Mono<T> source, Attempt attempt, Scheduler timer) {
            super(source);
            this.attempt = Objects.requireNonNull(attempt, "attempt");
            this.timer = Objects.requireNonNull(timer, "timer");
        }

        static <T> Mono<T> of(Mono<T> source, Attempt attempt, Scheduler timer) {
            return onAssembly(new AttemptTimeoutMono<>(source, attempt, timer));
        }

        @Override
        public void subscribe(CoreSubscriber<? super T> actual) {
            actual.onSubscribe(new AttemptTimeoutRun<>(this, actual));
        }

        Mono<? extends T> source() {
            return source;
        }

        Attempt attempt() {
            return attempt;
        }

        Scheduler timer() {
            return timer;
        }
    }
}
