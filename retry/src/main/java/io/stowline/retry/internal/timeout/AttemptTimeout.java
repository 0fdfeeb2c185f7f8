package io.stowline.retry.internal.timeout;

import io.stowline.retry.Attempt;
import io.stowline.retry.AttemptTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
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
        return AttemptTimeoutMono.of(source, attempt, timer, null);
    }

    /**
     * Returns the source with a time that counts only while the attempt stands still. The attempt ends with a {@link TimeoutException} once
     * it has stood still for {@code most}, or its deadline leaves no time, however long it has lasted by then.
     *
     * @param attempt knows the deadline, which counts the standstill, too
     * @param source sends the attempt
     * @param timer runs one timer at a time for each subscriber
     * @param most how long the attempt may stand still
     * @param standstill the nanoseconds since the last movement, which may lie before the attempt
     */
    public static <T> Mono<T> ofStandstill(
            Attempt attempt, Mono<T> source, Scheduler timer, Duration most, LongSupplier standstill) {
        return AttemptTimeoutMono.of(source, attempt, timer, new StandstillLimit(most, standstill));
    }

    /** How long an attempt may stand still, and how long it has. */
    record StandstillLimit(Duration most, LongSupplier standstill) {

        /** What is left of it for an attempt that began so many nanoseconds ago. */
        long left(long age) {
            return most.toNanos() - Math.min(age, standstill.getAsLong());
        }
    }

    /** Puts an {@link AttemptTimeoutRun} between each subscriber and the source. */
    static final class AttemptTimeoutMono<T> extends MonoOperator<T, T> {

        private final Attempt attempt;
        private final Scheduler timer;
        private final @Nullable StandstillLimit limit;

        private AttemptTimeoutMono(Mono<T> source, Attempt attempt, Scheduler timer, @Nullable StandstillLimit limit) {
            super(source);
            this.attempt = Objects.requireNonNull(attempt, "attempt");
            this.timer = Objects.requireNonNull(timer, "timer");
            this.limit = limit;
        }

        static <T> Mono<T> of(Mono<T> source, Attempt attempt, Scheduler timer, @Nullable StandstillLimit limit) {
            return onAssembly(new AttemptTimeoutMono<>(source, attempt, timer, limit));
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

        @Nullable
        StandstillLimit limit() {
            return limit;
        }

        Scheduler timer() {
            return timer;
        }
    }
}
