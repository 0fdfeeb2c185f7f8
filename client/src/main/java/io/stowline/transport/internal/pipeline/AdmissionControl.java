package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpResponse;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.PartitionedGate;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.retry.internal.timeout.TimeoutQueue;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.limits.AdmissionLease;
import io.stowline.transport.internal.limits.CircuitBreakerGuard;
import io.stowline.transport.internal.limits.CircuitBreakerGuard.BreakerOpenException;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.limits.ServiceRateLimiter;
import io.stowline.transport.internal.netty.AttemptContext;
import io.stowline.transport.internal.request.AttemptControl;
import io.stowline.transport.internal.request.ExecutionOptions;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * The admission of attempts by circuit breaker, rate limit and permit, in this order, so that no attempt holds a permit while it waits for another
 * limit (PERMIT-4). The breaker is that of the primary; attempts at the secondary pass none. Thread-safe.
 */
final class AdmissionControl {

    /** Many times the duration of a write, and short for those that wait behind it; in nanoseconds. */
    private static final long SILENT_AFTER = TimeUnit.SECONDS.toNanos(1);

    private final CircuitBreakerGuard breaker;
    private final @Nullable ServiceRateLimiter rates;
    private final PartitionedGate<String> gates;
    private final Scheduler timer;
    private final BooleanSupplier abandoned;

    /** The silences of attempts that may hold up others; all have the same time. */
    private final TimeoutQueue silences;

    AdmissionControl(ServiceLimits limits, Scheduler timer, BooleanSupplier abandoned) {
        this.breaker = limits.breaker();
        this.rates = limits.rates();
        this.gates = limits.gates();
        this.timer = timer;
        this.abandoned = abandoned;
        this.silences = new TimeoutQueue(timer);
    }

    /** Sends the attempt once it is admitted. Its lease lasts until its end has been judged (PERMIT-1). */
    Mono<HttpResponse> admit(RequestAttempt attempt, Mono<HttpResponse> sent) {
        return new AdmittedMono(this, attempt, sent);
    }

    /** Returns the lease of an attempt, which is empty at first. */
    AdmissionLease lease(Exchange<?> exchange, WriteTracker tracker) {
        return new AdmissionLease(
                exchange.request(), tracker, rates, gates, timer, priority(exchange) == PermitPriority.BACKGROUND);
    }

    private CircuitBreakerGuard breaker(RequestAttempt attempt) {
        return attempt.atSecondary() ? CircuitBreakerGuard.OFF : breaker;
    }

    /** Watches an attempt that many others of the same kind may accompany: one that has no response for long makes room for them. */
    private void watch(RequestAttempt attempt, AdmissionLease lease) {
        ExecutionOptions options = attempt.exchange().options();
        boolean many = options.batch() != null || options.priority() != PermitPriority.NORMAL;
        if (many && lease.counts()) {
            watch(attempt, lease, SILENT_AFTER);
        }
    }

    private void watch(RequestAttempt attempt, AdmissionLease lease, long nanos) {
        try {
            lease.watchedBy(silences.schedule(() -> review(attempt, lease), nanos));
        } catch (RejectedExecutionException stopped) {
            // The client has ended, and its attempts with it.
        }
    }

    /** The time of silence begins with the last byte of the request. */
    private void review(RequestAttempt attempt, AdmissionLease lease) {
        WriteTracker tracker = attempt.tracker();
        long now = timer.now(TimeUnit.NANOSECONDS);
        long since = tracker.ours() ? tracker.lastByte(now) : lease.began();
        long left = SILENT_AFTER - (now - since);
        AttemptControl control = attempt.exchange().options().control();
        if (left <= 0 && lease.fallSilent() && control != null) {
            control.fallsSilent();
        }
        if (lease.counts()) {
            watch(attempt, lease, left > 0 ? left : SILENT_AFTER);
        }
    }

    /** The permit of an attempt that need not wait; {@code null} if it must. */
    private @Nullable Permit atOnce(RequestAttempt attempt, @Nullable Permit granted) {
        if (rates != null) {
            return null;
        }
        Exchange<?> exchange = attempt.exchange();
        return granted != null
                ? granted
                : gates.tryAcquire(exchange.request().cost().partition(), priority(exchange));
    }

    private Mono<Permit> waited(RequestAttempt attempt) {
        return rates == null
                ? acquired(attempt)
                : attempt.lease().rated(startBy(attempt)).then(Mono.defer(() -> acquired(attempt)));
    }

    private Mono<Permit> acquired(RequestAttempt attempt) {
        Exchange<?> exchange = attempt.exchange();
        return gates.acquire(exchange.request().cost().partition(), priority(exchange), startBy(attempt), timer);
    }

    private static PermitPriority priority(Exchange<?> exchange) {
        return exchange.options().priority();
    }

    private Deadline startBy(RequestAttempt attempt) {
        return attempt.exchange().options().startBy(attempt.plan());
    }

    /**
     * An attempt that is sent once it is admitted, and whose lease ends with it. One operator instead of several, since every attempt
     * goes through it; most attempts wait for nothing.
     */
    private static final class AdmittedMono extends Mono<HttpResponse> {

        private static final Context DISCARDING = AttemptContext.discarding(AdmittedMono::discard);

        private final AdmissionControl admission;
        private final RequestAttempt attempt;
        private final Mono<HttpResponse> sent;

        AdmittedMono(AdmissionControl admission, RequestAttempt attempt, Mono<HttpResponse> sent) {
            this.admission = admission;
            this.attempt = attempt;
            this.sent = sent;
        }

        @Override
        public void subscribe(CoreSubscriber<? super HttpResponse> actual) {
            actual.onSubscribe(new Run(this, actual));
        }

        /** One subscriber's attempt: first the wait for its permit, then its request. */
        private static final class Run implements CoreSubscriber<HttpResponse>, Subscription {

            private static final AtomicIntegerFieldUpdater<Run> BEGUN =
                    AtomicIntegerFieldUpdater.newUpdater(Run.class, "begun");
            private static final AtomicReferenceFieldUpdater<Run, Subscription> CURRENT =
                    AtomicReferenceFieldUpdater.newUpdater(Run.class, Subscription.class, "current");

            private final AdmittedMono source;
            private final CoreSubscriber<? super HttpResponse> actual;
            private final WriteTracker tracker;
            private final @Nullable AttemptControl control;
            private final Context context;
            private volatile int begun;
            private volatile @Nullable Subscription current;
            private volatile @Nullable AdmissionLease lease;

            Run(AdmittedMono source, CoreSubscriber<? super HttpResponse> actual) {
                this.source = source;
                this.actual = actual;
                this.tracker = source.attempt.tracker();
                this.control = source.attempt.exchange().options().control();
                // A response that comes at the moment of the time-out holds a connection.
                this.context = new AttemptContext(actual.currentContext(), tracker, DISCARDING);
                source.attempt.subscribedIn(context);
            }

            @Override
            public Context currentContext() {
                return context;
            }

            @Override
            public void request(long n) {
                if (Operators.validate(n) && begun == 0 && BEGUN.compareAndSet(this, 0, 1)) {
                    begin();
                }
            }

            private void begin() {
                RequestAttempt attempt = source.attempt;
                AdmissionControl admission = source.admission;
                Permit granted = attempt.granted();
                try {
                    AdmissionLease begins = attempt.lease();
                    begins.pass(admission.breaker(attempt));
                    lease = begins;
                    Permit permit = admission.atOnce(attempt, granted);
                    if (permit != null) {
                        go(permit);
                        return;
                    }
                    // A permit that came first is not kept while waiting for the rate; most of the time there is no
                    // wait.
                    release(granted);
                    if (control != null) {
                        control.waitsForAdmission();
                    }
                    admission.waited(attempt).subscribe(new Waiting(this));
                } catch (BreakerOpenException open) {
                    release(granted);
                    actual.onError(open);
                }
            }

            private static void release(@Nullable Permit permit) {
                if (permit != null) {
                    permit.release();
                }
            }

            private void go(Permit permit) {
                AdmissionLease mine = Objects.requireNonNull(lease, "begun");
                if (control != null && !permit.silent()) {
                    control.goesOut();
                }
                mine.holds(permit);
                source.attempt.admitted();
                if (source.admission.abandoned.getAsBoolean() || current == Operators.cancelledSubscription()) {
                    mine.abandon();
                } else {
                    source.admission.watch(source.attempt, mine);
                    source.sent.subscribe(this);
                }
            }

            @Override
            public void cancel() {
                tracker.abandon();
                Subscription running = CURRENT.getAndSet(this, Operators.cancelledSubscription());
                if (running != null) {
                    running.cancel();
                }
                finish();
            }

            /** Makes this the current part of the attempt: the wait or the request. */
            private boolean occupy(Subscription next) {
                Subscription before = current;
                while (before != Operators.cancelledSubscription()) {
                    if (CURRENT.compareAndSet(this, before, next)) {
                        return true;
                    }
                    before = current;
                }
                next.cancel();
                finish();
                return false;
            }

            @Override
            public void onSubscribe(Subscription subscription) {
                if (occupy(subscription)) {
                    subscription.request(Long.MAX_VALUE);
                }
            }

            @Override
            public void onNext(HttpResponse response) {
                actual.onNext(response);
            }

            @Override
            public void onError(Throwable error) {
                try {
                    actual.onError(error);
                } finally {
                    finish();
                }
            }

            @Override
            public void onComplete() {
                try {
                    actual.onComplete();
                } finally {
                    finish();
                }
            }

            private void finish() {
                AdmissionLease ending = lease;
                if (ending != null) {
                    ending.abandon();
                }
            }
        }

        private static void discard(Object late) {
            if (late instanceof HttpResponse response) {
                response.close();
            }
        }

        /** The wait for the permit. */
        private record Waiting(Run run) implements CoreSubscriber<Permit> {

            @Override
            public Context currentContext() {
                return run.actual.currentContext();
            }

            @Override
            public void onSubscribe(Subscription subscription) {
                if (run.occupy(subscription)) {
                    subscription.request(Long.MAX_VALUE);
                }
            }

            @Override
            public void onNext(Permit permit) {
                run.go(permit);
            }

            @Override
            public void onError(Throwable error) {
                run.onError(error);
            }

            @Override
            public void onComplete() {
                // The permit has come in onNext.
            }
        }
    }
}
