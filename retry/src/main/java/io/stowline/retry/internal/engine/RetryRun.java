package io.stowline.retry.internal.engine;

import io.stowline.retry.AttemptEnd;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.StopReason;
import io.stowline.retry.internal.engine.RetryPlan.RetryDecision;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.retry.internal.timeout.AttemptLog;
import io.stowline.retry.internal.timeout.AttemptTimeoutException;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * One subscriber's operation: attempt, decision, pause, attempt, end.
 *
 * <p>Either an attempt or a pause is active, never both, and {@code current} holds what a cancel must stop; {@code OVER} there means that
 * the operation was cancelled or has ended, whichever came first. The other fields pass from thread to thread with the end of an attempt.
 * An attempt that ends while its own subscribing is still on the stack leaves the next one to the loop in {@link #drive()}, so that the
 * stack does not grow with the retries.
 */
final class RetryRun<T> implements Subscription {

    private static final Logger LOG = LoggerFactory.getLogger(RetryEngine.class);
    private static final Disposable OVER = () -> {};

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<RetryRun, Disposable> CURRENT =
            AtomicReferenceFieldUpdater.newUpdater(RetryRun.class, Disposable.class, "current");

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<RetryRun> REQUESTED =
            AtomicIntegerFieldUpdater.newUpdater(RetryRun.class, "requested");

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<RetryRun> DRIVES =
            AtomicIntegerFieldUpdater.newUpdater(RetryRun.class, "drives");

    private final RetryEngine engine;
    private final RetryCall<T> retryCall;
    private final CoreSubscriber<? super RetryResult<T>> actual;
    private final RetryPlan plan;
    private final AttemptRecorder book;
    private volatile @Nullable Disposable current;

    @SuppressWarnings("unused") // by its updater
    private volatile int requested;

    @SuppressWarnings("unused") // by its updater
    private volatile int drives;

    private Verdict verdict = Verdict.never("no attempt was started");
    private @Nullable Throwable lastError;

    RetryRun(RetryEngine engine, RetryCall<T> retryCall, CoreSubscriber<? super RetryResult<T>> actual) {
        this.engine = engine;
        this.retryCall = retryCall;
        this.actual = actual;
        this.plan = new RetryPlan(retryCall.limits(), engine.random());
        this.book = new AttemptRecorder(engine.timer());
    }

    Context currentContext() {
        return actual.currentContext();
    }

    @Override
    public void request(long n) {
        if (Operators.validate(n) && REQUESTED.compareAndSet(this, 0, 1)) {
            drive();
        }
    }

    @Override
    public void cancel() {
        Disposable stopped = CURRENT.getAndSet(this, OVER);
        if (stopped != null) {
            stopped.dispose();
        }
    }

    /** Starts the next attempt; called once after each pause. */
    void drive() {
        if (DRIVES.getAndIncrement(this) != 0) {
            return;
        }
        do {
            startAttempt();
        } while (DRIVES.decrementAndGet(this) != 0);
    }

    private void startAttempt() {
        long now = book.now();
        RetrySettings settings = retryCall.limits().settings();
        Deadline deadline = retryCall.limits().deadline();
        AttemptLog earlier = book.beginAttempt(now);
        if (!deadline.allowsStart(settings, now, engine.timer())) {
            end(null, tooLate(), earlier, StopReason.DEADLINE);
            return;
        }
        Attempt attempt = new Attempt(settings, deadline, book.nextNumber(), earlier);
        AttemptRun<T> run = new AttemptRun<>(this, attempt.number());
        if (occupy(run)) {
            send(attempt, run);
        }
    }

    private void send(Attempt attempt, AttemptRun<T> run) {
        try {
            Mono<? extends T> source = Objects.requireNonNull(retryCall.send(attempt), "send returned null");
            if (!run.isDisposed()) {
                source.subscribe(run);
            }
        } catch (Throwable thrown) {
            run.onError(thrown);
        }
    }

    /** Receives the end of the active attempt, once. */
    void ended(@Nullable T value, @Nullable Throwable error) {
        lastError = error;
        RetryDecision decision = judge(value, error);
        AttemptLog log = book.endAttempt(verdict);
        if (decision instanceof RetryDecision.End last) {
            end(value, error, log, last.stop());
            return;
        }
        if (value != null) {
            discard(value);
        }
        if (decision instanceof RetryDecision.Again again) {
            pause(again);
        } else {
            end(null, lastError, log, StopReason.NOT_RETRYABLE);
        }
    }

    /** Returns null when the judging itself has failed; the failure is the last error then. */
    private @Nullable RetryDecision judge(@Nullable T value, @Nullable Throwable error) {
        try {
            verdict = Objects.requireNonNull(retryCall.classify(value, error), "classifier returned null");
            return plan.after(verdict, retryCall::replayable, retryCall::progressed);
        } catch (Throwable thrown) {
            String reason = "judging the attempt failed: " + thrown.getClass().getName();
            // Not judged is not the same as not applied.
            verdict = Verdict.never(reason).asAmbiguous();
            lastError = withEarlier(thrown);
            return null;
        }
    }

    private void pause(RetryDecision.Again again) {
        RetryPause pause = new RetryPause(this, again, engine.timer());
        // In place before its timer starts, as the timer may fire before it has returned its handle.
        if (occupy(pause)) {
            pause.start();
        } else {
            pause.dispose();
        }
    }

    /** Ends the operation after the timer has refused a pause. */
    void refused(RejectedExecutionException refused) {
        end(null, withEarlier(refused), book.log(), StopReason.NOT_RETRYABLE);
    }

    /** Ends the operation after a pause whose tokens did not come in time. */
    void outOfTokens() {
        String message = "no retry was started: the client's own retry quota was empty until the deadline, "
                + retryCall.limits().quota();
        end(null, new AttemptTimeoutException(message, lastError), book.log(), StopReason.DEADLINE);
    }

    private boolean occupy(Disposable next) {
        Disposable previous = current;
        while (previous != OVER) {
            if (CURRENT.compareAndSet(this, previous, next)) {
                return true;
            }
            previous = current;
        }
        return false;
    }

    private void end(@Nullable T value, @Nullable Throwable error, AttemptLog log, StopReason stop) {
        Disposable previous = CURRENT.getAndSet(this, OVER);
        if (previous instanceof RetryPause unused) {
            unused.dispose();
        }
        if (previous != OVER) {
            actual.onNext(new RetryResult<>(value, error, verdict, log, stop));
            actual.onComplete();
        } else if (value != null) {
            discard(value);
        }
    }

    private Throwable tooLate() {
        RetrySettings settings = retryCall.limits().settings();
        return new AttemptTimeoutException(
                "no attempt was started with " + retryCall.limits().deadline().remaining() + " left: minAttempt is "
                        + settings.minAttempt() + ", reserve " + settings.reserve(),
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
            retryCall.discard(value);
        } catch (Throwable thrown) {
            LOG.warn("discarding a result failed", thrown);
        }
    }

    /** A recorder that writes the log of one operation, by one reading of the clock for each begin and end. Used by one thread at a time. */
    private static final class AttemptRecorder {

        private final Scheduler clock;
        private List<AttemptEnd> entries = List.of();
        private long began;
        private long attemptBegan;
        private long attemptEnded;

        AttemptRecorder(Scheduler clock) {
            this.clock = clock;
        }

        /** Begins the next attempt, and the operation with the first one; returns the log of those before. */
        AttemptLog beginAttempt(long now) {
            if (entries.isEmpty()) {
                began = now;
                attemptEnded = now;
            }
            attemptBegan = now;
            return log(now);
        }

        AttemptLog endAttempt(Verdict verdict) {
            Duration waited = Duration.ofNanos(attemptBegan - attemptEnded);
            attemptEnded = now();
            Duration took = Duration.ofNanos(attemptEnded - attemptBegan);
            AttemptEnd entry = verdict.entry(nextNumber(), took, waited);
            if (entries.isEmpty()) {
                // As an immutable list, which the log takes without a copy: most operations have one attempt.
                entries = List.of(entry);
            } else {
                entries = new ArrayList<>(entries);
                entries.add(entry);
            }
            return log(attemptEnded);
        }

        int nextNumber() {
            return entries.size() + 1;
        }

        AttemptLog log() {
            return log(now());
        }

        private AttemptLog log(long now) {
            return entries.isEmpty() ? AttemptLog.EMPTY : new AttemptLog(entries, Duration.ofNanos(now - began));
        }

        long now() {
            return clock.now(TimeUnit.NANOSECONDS);
        }
    }
}
