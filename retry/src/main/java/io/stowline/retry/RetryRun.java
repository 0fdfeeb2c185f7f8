package io.stowline.retry;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One subscriber's operation: attempt, decision, delay, attempt, end.
 *
 * <p>Either an attempt or a delay is under way, never both, and {@code current} holds what a cancel must stop; {@code
 * OVER} there means that the operation was cancelled or has ended, whichever came first. The other fields pass from
 * thread to thread with the end of an attempt. An attempt that ends while its own subscribing is still on the stack
 * leaves the next one to the loop in {@link #drive()}, so that the stack does not grow with the retries.
 */
final class RetryRun<T> implements Subscription {

    private static final Logger LOG = LoggerFactory.getLogger(RetryEngine.class);
    private static final Disposable OVER = () -> {};

    private final RetryEngine engine;
    private final RetryCall<T> call;
    private final CoreSubscriber<? super Ended<T>> actual;
    private final RetryPlan plan;
    private final AttemptBook book;
    private final AtomicReference<@Nullable Disposable> current = new AtomicReference<>();
    private final AtomicBoolean requested = new AtomicBoolean();
    private final AtomicInteger drives = new AtomicInteger();
    private Verdict verdict = Verdict.never("no attempt was started");
    private @Nullable Throwable lastError;

    RetryRun(RetryEngine engine, RetryCall<T> call, CoreSubscriber<? super Ended<T>> actual) {
        this.engine = engine;
        this.call = call;
        this.actual = actual;
        this.plan = new RetryPlan(call.settings(), call.deadline(), engine.random());
        this.book = new AttemptBook(engine.timer());
    }

    Context currentContext() {
        return actual.currentContext();
    }

    @Override
    public void request(long n) {
        if (Operators.validate(n) && requested.compareAndSet(false, true)) {
            book.begin();
            drive();
        }
    }

    @Override
    public void cancel() {
        Disposable stopped = current.getAndSet(OVER);
        if (stopped != null) {
            stopped.dispose();
        }
    }

    private void drive() {
        if (drives.getAndIncrement() != 0) {
            return;
        }
        do {
            startAttempt();
        } while (drives.decrementAndGet() != 0);
    }

    private void startAttempt() {
        if (call.settings().untilLastStart(call.deadline()).isNegative()) {
            end(null, tooLate(), Stop.DEADLINE);
            return;
        }
        Attempt attempt = new Attempt(call.settings(), call.deadline(), book.nextNumber(), book.log());
        AttemptRun<T> run = new AttemptRun<>(this, attempt.number());
        if (occupy(run)) {
            book.beginAttempt();
            send(attempt, run);
        }
    }

    private void send(Attempt attempt, AttemptRun<T> run) {
        try {
            Mono<? extends T> source = call.send(attempt);
            if (!run.isDisposed()) {
                source.subscribe(run);
            }
        } catch (Throwable thrown) {
            run.onError(thrown);
        }
    }

    /** Called by the attempt under way, once. */
    void ended(@Nullable T value, @Nullable Throwable error) {
        lastError = error;
        Decision decision = judge(value, error);
        book.endAttempt(verdict);
        if (decision != null && decision.stop() != null) {
            end(value, error, decision.stop());
            return;
        }
        if (value != null) {
            discard(value);
        }
        if (decision == null) {
            end(null, lastError, Stop.NOT_RETRYABLE);
        } else {
            pause(decision.pause());
        }
    }

    /** Returns null when the judging itself has failed; the failure is the last error then. */
    private @Nullable Decision judge(@Nullable T value, @Nullable Throwable error) {
        try {
            verdict = Objects.requireNonNull(call.classifier().classify(value, error), "classifier returned null");
            return plan.after(verdict, call::replayable);
        } catch (Throwable thrown) {
            String reason = "judging the attempt failed: " + thrown.getClass().getName();
            // Not judged is not the same as not applied.
            verdict = Verdict.never(reason).asAmbiguous();
            lastError = withEarlier(thrown);
            return null;
        }
    }

    private void pause(Duration wait) {
        if (wait.isZero()) {
            drive();
            return;
        }
        // In place before the timer starts, as the timer may fire before it has returned its handle.
        Disposable.Swap delay = Disposables.swap();
        if (!occupy(delay)) {
            return;
        }
        try {
            delay.update(engine.timer().schedule(this::drive, wait.toNanos(), TimeUnit.NANOSECONDS));
        } catch (RejectedExecutionException refused) {
            end(null, withEarlier(refused), Stop.NOT_RETRYABLE);
        }
    }

    private boolean occupy(Disposable next) {
        Disposable previous = current.get();
        while (previous != OVER) {
            if (current.compareAndSet(previous, next)) {
                return true;
            }
            previous = current.get();
        }
        return false;
    }

    private void end(@Nullable T value, @Nullable Throwable error, Stop stop) {
        if (current.getAndSet(OVER) != OVER) {
            actual.onNext(new Ended<>(value, error, verdict, book.log(), stop));
            actual.onComplete();
        } else if (value != null) {
            discard(value);
        }
    }

    private Throwable tooLate() {
        RetrySettings settings = call.settings();
        return new DeadlineExceededException(
                "no attempt was started with " + call.deadline().remaining() + " left: leastAttempt is "
                        + settings.leastAttempt() + ", reserve " + settings.reserve(),
                lastError);
    }

    private Throwable withEarlier(Throwable error) {
        if (lastError != null && lastError != error) {
            error.addSuppressed(lastError);
        }
        return error;
    }

    void discard(T value) {
        try {
            call.discard(value);
        } catch (Throwable thrown) {
            LOG.warn("discarding a result failed", thrown);
        }
    }
}
