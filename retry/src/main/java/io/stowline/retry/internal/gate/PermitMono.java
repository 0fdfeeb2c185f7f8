package io.stowline.retry.internal.gate;

import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.Gate.PermitRegistration;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/** A Mono that requests a permit of a gate for each subscriber, after that of the partition where there is one. */
final class PermitMono extends Mono<Permit> {

    private final @Nullable Gate partition;
    private final Gate gate;
    private final PermitPriority priority;
    private final Deadline deadline;
    private final Scheduler timer;

    private PermitMono(
            @Nullable Gate partition, Gate gate, PermitPriority priority, Deadline deadline, Scheduler timer) {
        this.partition = partition;
        this.gate = gate;
        this.priority = Objects.requireNonNull(priority, "priority");
        this.deadline = Objects.requireNonNull(deadline, "deadline");
        this.timer = Objects.requireNonNull(timer, "timer");
    }

    static Mono<Permit> of(
            @Nullable Gate partition, Gate gate, PermitPriority priority, Deadline deadline, Scheduler timer) {
        return onAssembly(new PermitMono(partition, gate, priority, deadline, timer));
    }

    @Override
    public void subscribe(CoreSubscriber<? super Permit> actual) {
        actual.onSubscribe(new PermitRequest(this, actual));
    }

    /**
     * One subscriber's wait for a permit, or for that of its partition and then for that of the account. The permit, the timer and the cancel race for the step to {@code SETTLED}; the
     * first one decides, and a permit that comes second goes back to the gate.
     *
     * <p>A subscriber that is cancelled while it receives the permit may drop it, and its cancel may come here before or
     * after that: so a cancel gives back the permit that was emitted, too. Not so a cancel from inside the reception, which
     * is how an operator that takes one value signals that it has enough.
     */
    private static final class PermitRequest implements Subscription, Consumer<Permit>, Runnable {

        private static final AtomicIntegerFieldUpdater<PermitRequest> STATE =
                AtomicIntegerFieldUpdater.newUpdater(PermitRequest.class, "state");
        private static final int NEW = 0;
        private static final int REQUESTED = 1;
        private static final int SETTLED = 2;

        private final PermitMono source;
        private final CoreSubscriber<? super Permit> actual;
        private volatile int state;
        private volatile @Nullable PermitRegistration atPartition;
        private volatile @Nullable PermitRegistration waiting;
        private volatile @Nullable Permit ofPartition;
        private boolean timed;
        private volatile @Nullable Disposable timeout;
        private volatile @Nullable Permit granted;
        private volatile @Nullable Thread receiving;

        PermitRequest(PermitMono source, CoreSubscriber<? super Permit> actual) {
            this.source = source;
            this.actual = actual;
        }

        @Override
        public void request(long n) {
            if (Operators.validate(n) && STATE.compareAndSet(this, NEW, REQUESTED)) {
                request();
            }
        }

        @Override
        public void cancel() {
            if (STATE.getAndSet(this, SETTLED) != SETTLED) {
                giveUp();
            }
            Permit permit = granted;
            if (permit != null && receiving != Thread.currentThread()) {
                permit.release();
            }
        }

        private void request() {
            if (source.deadline.expired()) {
                fail(new GateTimeoutException("no permit was requested: the deadline had passed"));
                return;
            }
            Gate partition = source.partition;
            requestAt(partition != null ? partition : source.gate);
        }

        private void requestAt(Gate gate) {
            Permit permit = gate.tryAcquire(source.priority);
            if (permit != null) {
                accept(permit);
            } else {
                await(gate);
            }
        }

        private void await(Gate gate) {
            // Read before the request: once granted, the next wait may run at the same time, and only one starts the
            // timer.
            boolean first = !timed;
            timed = true;
            PermitRegistration place = gate.request(source.priority, this);
            if (gate == source.gate) {
                waiting = place;
            } else {
                atPartition = place;
            }
            if (first && state != SETTLED) {
                startTimeout();
            }
            // Settled while the two fields were being written: the thread that settled it may have missed them.
            if (state == SETTLED) {
                stopWaiting();
            }
        }

        private void startTimeout() {
            Duration left = source.deadline.remaining();
            try {
                timeout = source.timer.schedule(this, left.toNanos(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException refused) {
                fail(refused);
            }
        }

        @Override
        public void accept(Permit permit) {
            if (permit.comesFrom(source.partition)) {
                goOn(permit);
            } else {
                emit(permit);
            }
        }

        private void goOn(Permit permit) {
            ofPartition = permit;
            if (state == SETTLED) {
                permit.release();
            } else {
                requestAt(source.gate);
            }
        }

        private void emit(Permit permit) {
            permit.join(ofPartition);
            receiving = Thread.currentThread();
            granted = permit;
            if (STATE.compareAndSet(this, REQUESTED, SETTLED)) {
                stopTimeout();
                actual.onNext(permit);
                actual.onComplete();
            } else {
                permit.release();
            }
            receiving = null;
        }

        @Override
        public void run() {
            Gate partition = ofPartition == null ? source.partition : null;
            Gate gate = partition != null ? partition : source.gate;
            String whose = partition != null ? "no permit of the throttled partition" : "no permit";
            fail(new GateTimeoutException(whose + " before the deadline: limit " + gate.limit() + ", in use "
                    + gate.inUse() + ", waiting " + gate.waiting() + " (" + source.priority + ")"));
        }

        private void fail(Throwable error) {
            if (STATE.compareAndSet(this, REQUESTED, SETTLED)) {
                giveUp();
                actual.onError(error);
            }
        }

        private void stopWaiting() {
            stopTimeout();
            leaveLine(atPartition);
            leaveLine(waiting);
        }

        private void giveUp() {
            stopWaiting();
            Permit permit = ofPartition;
            if (permit != null) {
                permit.release();
            }
        }

        private static void leaveLine(@Nullable PermitRegistration place) {
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
}
