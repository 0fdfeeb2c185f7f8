package io.stowline.retry.internal.timeout;

import io.stowline.retry.AttemptTimeoutException;
import io.stowline.retry.internal.timeout.AttemptTimeout.AttemptTimeoutMono;
import io.stowline.retry.internal.timeout.AttemptTimeout.StandstillLimit;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One subscriber's attempt and its timer. The first signal, the timer and the cancel race for the step out of {@code
 * RUNNING}. The source is subscribed to only when requested, behind the timer, so that no error can come before the
 * subscriber has its subscription and a source that works in its {@code subscribe} is timed too.
 */
final class AttemptTimeoutRun<T> implements CoreSubscriber<T>, Subscription, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(AttemptTimeout.class);

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<AttemptTimeoutRun> STATE =
            AtomicIntegerFieldUpdater.newUpdater(AttemptTimeoutRun.class, "state");

    private static final int NEW = 0;
    private static final int RUNNING = 1;
    private static final int ANSWERED = 2;
    private static final int OVER = 3;

    private final AttemptTimeoutMono<T> mono;
    private final CoreSubscriber<? super T> actual;
    private final Upstream upstream = new Upstream();
    private volatile int state;
    private volatile @Nullable Disposable timeout;
    private Duration limit = Duration.ZERO;
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
        limit = mono.attempt().clientTimeout();
        began = now();
        if (limit.isZero()) {
            fail(new AttemptTimeoutException(mono.attempt().number(), limit, false));
        } else if (startTimeout(limit.toNanos())) {
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
        return mono.timer().now(TimeUnit.NANOSECONDS);
    }

    private boolean startTimeout(long nanos) {
        try {
            timeout = mono.timer().schedule(this, nanos, TimeUnit.NANOSECONDS);
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

    /** The time is over, unless the attempt has moved since. */
    @Override
    public void run() {
        StandstillLimit still = mono.limit();
        if (still == null) {
            fail(new AttemptTimeoutException(mono.attempt().number(), limit, true));
            return;
        }
        long left = Math.min(
                still.left(now() - began), mono.attempt().clientTimeout().toNanos());
        if (left <= 0) {
            fail(new TimeoutException("attempt " + mono.attempt().number() + " has stood still for "
                    + Duration.ofNanos(still.standstill().getAsLong())));
        } else if (state == RUNNING) {
            startTimeout(left);
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
        if (STATE.compareAndSet(this, RUNNING, ANSWERED)) {
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
            LOG.debug("attempt {} failed after it had ended", mono.attempt().number(), error);
        }
    }

    @Override
    public void onComplete() {
        if (ends()) {
            actual.onComplete();
        }
    }

    private boolean ends() {
        if (STATE.compareAndSet(this, ANSWERED, OVER)) {
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
