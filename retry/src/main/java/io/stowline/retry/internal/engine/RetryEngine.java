package io.stowline.retry.internal.engine;

import java.util.Objects;
import java.util.random.RandomGenerator;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * An engine that sends the attempts of an operation until one of them ends it.
 *
 * <ul>
 *   <li>A {@link Verdict.VerdictKind#RETRY} waits for the back-off's delay; a {@link Verdict.VerdictKind#RETRY_NOW} is tried
 *       again at once, but only once in an operation. The number of the retry, x of the formula, counts both.
 *   <li>A {@link Verdict.VerdictKind#REMEDIED} is tried again at once and is no retry.
 *   <li>A {@link Verdict.VerdictKind#RETRY_ONCE} waits like a {@link Verdict.VerdictKind#RETRY}; the second one ends the operation.
 *   <li>The server's hint is a floor for the wait. When it does not fit in the time left the operation ends now.
 *   <li>No attempt starts unless {@code minAttempt} is left besides the {@code reserve}.
 *   <li>A retry takes tokens of the call's {@link RetryQuota}, or waits for them while its delay runs; when there are
 *       none until the deadline the operation ends, without a result.
 *   <li>A body that cannot be replayed is not sent again.
 *   <li>While it waits it holds no thread, no result and nothing of the attempt before.
 * </ul>
 *
 * <p>Safe for use by many threads. Attempts after a delay start on the timer's or the quota's
 * threads, all others on the thread that
 * subscribed or that ended the attempt before.
 */
public final class RetryEngine {

    private final Scheduler timer;
    private final RandomGenerator random;

    /**
     * Creates an engine.
     *
     * @param timer gives the time and runs the delays; not disposed by the engine
     * @param random the source of the jitter, safe for use by many threads if the engine is used so
     */
    public RetryEngine(Scheduler timer, RandomGenerator random) {
        this.timer = Objects.requireNonNull(timer, "timer");
        this.random = Objects.requireNonNull(random, "random");
    }

    /**
     * Returns the operation as a Mono that sends when its result is first requested. Each subscription starts a separate operation.
     *
     * <p>It emits exactly one {@link RetryResult} and never an error: what {@code send}, the classifier or the timer throws
     * is the error inside. Cancelling it cancels the running attempt or the delay, and nothing more is sent. The
     * attempts see the subscriber's Reactor context.
     *
     * @param <T> the type of the results
     * @param retryCall the operation
     * @return the operation's end
     */
    public <T> Mono<RetryResult<T>> execute(RetryCall<T> retryCall) {
        return RetryMono.of(this, retryCall);
    }

    Scheduler timer() {
        return timer;
    }

    RandomGenerator random() {
        return random;
    }

    /** A Mono that starts a {@link RetryRun} for each subscriber. */
    private static final class RetryMono<T> extends Mono<RetryResult<T>> {

        private final RetryEngine engine;
        private final RetryCall<T> retryCall;

        private RetryMono(RetryEngine engine, RetryCall<T> retryCall) {
            this.engine = engine;
            this.retryCall = retryCall;
        }

        static <T> Mono<RetryResult<T>> of(RetryEngine engine, RetryCall<T> retryCall) {
            return onAssembly(new RetryMono<>(engine, retryCall));
        }

        @Override
        public void subscribe(CoreSubscriber<? super RetryResult<T>> actual) {
            actual.onSubscribe(new RetryRun<>(engine, retryCall, actual));
        }
    }
}
