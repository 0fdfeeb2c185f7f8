package io.stowline.retry.internal.timeout;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** An operator that ends an attempt in its time: the client's side of {@link Attempt#clientTimeout()}. */
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
     * @param timeouts holds the one timeout of each subscriber
     */
    public static <T> Mono<T> of(Attempt attempt, Mono<T> source, TimeoutQueue timeouts) {
        return AttemptTimeoutMono.of(source, attempt, timeouts, null);
    }

    /**
     * Returns the source with a time that counts only while the attempt stands still. The attempt ends with a {@link TimeoutException} once
     * it has stood still for {@code most}, or its deadline leaves no time, however long it has lasted by then.
     *
     * @param attempt knows the deadline, which counts the standstill, too
     * @param source sends the attempt
     * @param timeouts holds one timeout at a time for each subscriber
     * @param max how long the attempt may stand still
     * @param standstill the nanoseconds since the last movement, which may lie before the attempt
     */
    public static <T> Mono<T> ofStandstill(
            Attempt attempt, Mono<T> source, TimeoutQueue timeouts, Duration max, LongSupplier standstill) {
        return AttemptTimeoutMono.of(source, attempt, timeouts, new StandstillLimit(max, standstill));
    }

    /** The longest standstill of an attempt, with the source of its standstill so far. */
    private record StandstillLimit(Duration max, LongSupplier standstill) {

        /** The time left for an attempt of this age, in nanoseconds. */
        long left(long age) {
            return max.toNanos() - Math.min(age, standstill.getAsLong());
        }
    }

    /** A Mono that puts an {@link AttemptTimeoutRun} between each subscriber and the source. */
    private static final class AttemptTimeoutMono<T> extends MonoOperator<T, T> {

        private final Attempt attempt;
        private final TimeoutQueue timeouts;
        private final @Nullable StandstillLimit limit;

        private AttemptTimeoutMono(
                Mono<T> source, Attempt attempt, TimeoutQueue timeouts, @Nullable StandstillLimit limit) {
            super(source);
            this.attempt = Objects.requireNonNull(attempt, "attempt");
            this.timeouts = Objects.requireNonNull(timeouts, "timeouts");
            this.limit = limit;
        }

        static <T> Mono<T> of(Mono<T> source, Attempt attempt, TimeoutQueue timeouts, @Nullable StandstillLimit limit) {
            return onAssembly(new AttemptTimeoutMono<>(source, attempt, timeouts, limit));
        }

        @Override
        public void subscribe(CoreSubscriber<? super T> actual) {
            actual.onSubscribe(new AttemptTimeoutRun<>(this, actual));
        }

        Mono<? extends T> source() {
            return source;
        }
    }

    /**
     * One subscriber's attempt and its timer. The first signal, the timer and the cancel race for the step out of {@code
     * RUNNING}. The source is subscribed to only when requested, behind the timer, so that no error can come before the
     * subscriber has its subscription and a source that works in its {@code subscribe} is timed too.
     */
    private static final class AttemptTimeoutRun<T> implements CoreSubscriber<T>, Subscription, Runnable {

        private static final Logger LOG = LoggerFactory.getLogger(AttemptTimeout.class);

        @SuppressWarnings("rawtypes")
        private static final AtomicIntegerFieldUpdater<AttemptTimeoutRun> STATE =
                AtomicIntegerFieldUpdater.newUpdater(AttemptTimeoutRun.class, "state");

        private static final int NEW = 0;
        private static final int RUNNING = 1;
        private static final int RESPONDED = 2;
        private static final int OVER = 3;

        private final AttemptTimeoutMono<T> mono;
        private final CoreSubscriber<? super T> actual;
        private final Upstream upstream = new Upstream();
        private volatile int state;
        private volatile @Nullable Disposable timeout;
        private long limit;
        private long began;

        AttemptTimeoutRun(AttemptTimeoutMono<T> mono, CoreSubscriber<? super T> actual) {
            this.mono = mono;
            this.actual = actual;
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void request(long n) {
            if (!Operators.validate(n) || !STATE.compareAndSet(this, NEW, RUNNING)) {
                return;
            }
            began = now();
            limit = mono.attempt.clientNanosAt(began, mono.timeouts.clock());
            if (limit == 0) {
                fail(new AttemptTimeoutException(
                        "attempt " + mono.attempt.number() + " was not started: no time was left", null));
            } else if (startTimeout(limit, began)) {
                start();
            }
        }

        private void start() {
            try {
                mono.source().subscribe(this);
            } catch (Throwable thrown) {
                onError(thrown);
            }
        }

        private long now() {
            return mono.timeouts.now();
        }

        private boolean startTimeout(long nanos, long now) {
            try {
                timeout = mono.timeouts.schedule(this, nanos, now);
            } catch (RejectedExecutionException refused) {
                fail(refused);
            }
            if (state != RUNNING) {
                stopTimeout();
                return false;
            }
            return true;
        }

        @Override
        public void cancel() {
            STATE.set(this, OVER);
            stopTimeout();
            upstream.cancel();
        }

        /** The timer sets itself again if the attempt has moved since. */
        @Override
        public void run() {
            StandstillLimit still = mono.limit;
            if (still == null) {
                fail(new AttemptTimeoutException(mono.attempt.number(), Duration.ofNanos(limit)));
                return;
            }
            long now = now();
            long left = Math.min(still.left(now - began), mono.attempt.clientNanosAt(now, mono.timeouts.clock()));
            if (left <= 0) {
                fail(new TimeoutException("attempt " + mono.attempt.number() + " has stood still for "
                        + Duration.ofNanos(still.standstill().getAsLong())));
            } else if (state == RUNNING) {
                startTimeout(left, now);
            }
        }

        private void fail(Throwable error) {
            if (STATE.compareAndSet(this, RUNNING, OVER)) {
                upstream.cancel();
                actual.onError(error);
            }
        }

        @Override
        public void onSubscribe(Subscription s) {
            upstream.start(s);
        }

        @Override
        public void onNext(T value) {
            if (STATE.compareAndSet(this, RUNNING, RESPONDED)) {
                stopTimeout();
                actual.onNext(value);
            } else {
                Operators.onDiscard(value, actual.currentContext());
            }
        }

        @Override
        public void onError(Throwable error) {
            if (ends()) {
                actual.onError(error);
            } else {
                LOG.debug("attempt {} failed after it had ended", mono.attempt.number(), error);
            }
        }

        @Override
        public void onComplete() {
            if (ends()) {
                actual.onComplete();
            }
        }

        private boolean ends() {
            if (STATE.compareAndSet(this, RESPONDED, OVER)) {
                return true;
            }
            if (STATE.compareAndSet(this, RUNNING, OVER)) {
                stopTimeout();
                return true;
            }
            return false;
        }

        private void stopTimeout() {
            Disposable running = timeout;
            if (running != null) {
                running.dispose();
            }
        }
    }
}
