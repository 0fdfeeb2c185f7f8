package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpResponse;
import io.stowline.retry.Attempt;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.transport.internal.http.WriteTracker;
import io.stowline.transport.internal.limits.AdmissionLease;
import io.stowline.transport.internal.limits.CircuitBreakerGuard.BreakerOpenException;
import io.stowline.transport.internal.netty.AttemptContext;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * An attempt that is sent once the entrance lets it in, and whose turn ends with it. One operator instead of several, since every
 * attempt goes through it; most of the time there is nothing to wait for.
 */
final class AdmissionMono extends Mono<HttpResponse> {

    private static final Context DISCARDING = AttemptContext.discarding(AdmissionMono::discard);

    private final AdmissionControl entrance;
    private final Exchange<?> call;
    private final Attempt attempt;
    private final Mono<HttpResponse> sent;

    AdmissionMono(AdmissionControl entrance, Exchange<?> call, Attempt attempt, Mono<HttpResponse> sent) {
        this.entrance = entrance;
        this.call = call;
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

        private final AdmissionMono source;
        private final CoreSubscriber<? super HttpResponse> actual;
        private final WriteTracker tracker;
        private final Context context;
        private volatile int begun;
        private volatile @Nullable Subscription current;
        private volatile @Nullable AdmissionLease turn;

        Run(AdmissionMono source, CoreSubscriber<? super HttpResponse> actual) {
            this.source = source;
            this.actual = actual;
            this.tracker = source.call.tracker();
            // An answer that comes at the moment at which the time is over holds a connection.
            this.context = new AttemptContext(actual.currentContext(), tracker, DISCARDING);
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
            // Taken when it is asked for: an attempt that is cancelled before that would lose it.
            Permit first = source.call.takeFirstPermit();
            try {
                AdmissionLease begins = source.entrance.turn(source.call);
                turn = begins;
                Permit permit = source.entrance.atOnce(source.call, first);
                if (permit != null) {
                    go(permit);
                    return;
                }
                // A permit that came first is not kept while waiting for the rate; most of the time there is no wait.
                release(first);
                begins.waits();
                source.entrance.waited(source.call, source.attempt, begins).subscribe(new Waiting(this));
            } catch (BreakerOpenException open) {
                release(first);
                actual.onError(open);
            }
        }

        private static void release(@Nullable Permit permit) {
            if (permit != null) {
                permit.release();
            }
        }

        private void go(Permit permit) {
            AdmissionLease mine = Objects.requireNonNull(turn, "begun");
            mine.holds(permit);
            if (source.entrance.abandoned() || current == Operators.cancelledSubscription()) {
                mine.over();
            } else {
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
            over();
        }

        /** What is under way now: the wait or the request. */
        private boolean occupy(Subscription next) {
            Subscription before = current;
            while (before != Operators.cancelledSubscription()) {
                if (CURRENT.compareAndSet(this, before, next)) {
                    return true;
                }
                before = current;
            }
            next.cancel();
            over();
            return false;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            if (occupy(subscription)) {
                subscription.request(Long.MAX_VALUE);
            }
        }

        @Override
        public void onNext(HttpResponse answer) {
            actual.onNext(answer);
        }

        @Override
        public void onError(Throwable error) {
            try {
                actual.onError(error);
            } finally {
                over();
            }
        }

        @Override
        public void onComplete() {
            try {
                actual.onComplete();
            } finally {
                over();
            }
        }

        private void over() {
            AdmissionLease ending = turn;
            if (ending != null) {
                ending.over();
            }
        }
    }

    private static void discard(Object late) {
        if (late instanceof HttpResponse answer) {
            answer.close();
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
            // The permit has come.
        }
    }
}
