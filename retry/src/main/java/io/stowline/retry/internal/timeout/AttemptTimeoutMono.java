package io.stowline.retry.internal.timeout;

import io.stowline.retry.Attempt;
import java.util.Objects;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.scheduler.Scheduler;

/** Puts an {@link AttemptTimeoutRun} between each subscriber and the source. */
final class AttemptTimeoutMono<T> extends MonoOperator<T, T> {

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
