package io.stowline.retry;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Operators;

/**
 * One subscriber's wait for a permit. The permit, the timer and the cancel race for the step to {@code SETTLED}; the
 * first one decides, and a permit that comes second goes back to the gate.
 *
 * <p>A subscriber that is cancelled while it receives the permit may drop it, and its cancel may come here before or
 * after that: so a cancel gives back the permit that was emitted, too. Not so a cancel from inside the reception, which
 * is how an operator that takes one value says that it has enough.
 */
final class PermitRequest implements Subscription, Consumer<Permit>, Runnable {

    private static final AtomicIntegerFieldUpdater<PermitRequest> STATE =
            AtomicIntegerFieldUpdater.newUpdater(PermitRequest.class, "state");
    private static final int NEW = 0;
    private static final int ASKED = 1;
    private static final int SETTLED = 2;

    private final PermitMono source;
    private final CoreSubscriber<? super Permit> actual;
    private volatile int state;
    private volatile @Nullable Waiting waiting;
    private volatile @Nullable Disposable timeout;
    private volatile @Nullable Permit granted;
    private volatile @Nullable Thread receiving;

    PermitRequest(PermitMono source, CoreSubscriber<? super Permit> actual) {
        this.source = source;
        this.actual = actual;
    }

    @Override
    public void request(long n) {
        if (Operators.validate(n) && STATE.compareAndSet(this, NEW, ASKED)) {
            ask();
        }
    }

    @Override
    public void cancel() {
        if (STATE.getAndSet(this, SETTLED) == ASKED) {
            stopWaiting();
        }
        Permit permit = granted;
        if (permit != null && receiving != Thread.currentThread()) {
            permit.release();
        }
    }

    private void ask() {
        if (source.deadline().expired()) {
            fail(new GateTimeoutException("no permit was asked for: the deadline was over"));
            return;
        }
        Permit permit = source.gate().tryAcquire(source.priority());
        if (permit != null) {
            accept(permit);
            return;
        }
        await();
    }

    private void await() {
        waiting = source.gate().request(source.priority(), this);
        if (state != SETTLED) {
            startTimeout();
        }
        // Settled while the two fields were being written: whoever settled it may have missed them.
        if (state == SETTLED) {
            stopWaiting();
        }
    }

    private void startTimeout() {
        Duration left = source.deadline().remaining();
        try {
            timeout = source.timer().schedule(this, left.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException refused) {
            fail(refused);
        }
    }

    @Override
    public void accept(Permit permit) {
        receiving = Thread.currentThread();
        granted = permit;
        if (STATE.compareAndSet(this, ASKED, SETTLED)) {
            stopTimeout();
            actual.onNext(permit);
            actual.onComplete();
        } else {
            permit.release();
        }
        receiving = null;
    }

    /** The deadline. */
    @Override
    public void run() {
        Gate gate = source.gate();
        fail(new GateTimeoutException("no permit before the deadline: limit " + gate.limit() + ", in use "
                + gate.inUse() + ", waiting " + gate.waiting() + " (" + source.priority() + ")"));
    }

    private void fail(Throwable error) {
        if (STATE.compareAndSet(this, ASKED, SETTLED)) {
            stopWaiting();
            actual.onError(error);
        }
    }

    private void stopWaiting() {
        stopTimeout();
        Waiting place = waiting;
        if (place != null) {
            place.cancel();
        }
    }

    private void stopTimeout() {
        Disposable running = timeout;
        if (running != null) {
            running.dispose();
        }
    }
}
