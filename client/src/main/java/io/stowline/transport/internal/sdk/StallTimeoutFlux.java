package io.stowline.transport.internal.sdk;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * An operator that ends a stream that has a request for more and gives nothing for too long. Reactor's {@code timeout} would also end one whose reader
 * takes its time.
 */
public final class StallTimeoutFlux extends FluxOperator<ByteBuffer, ByteBuffer> {

    private final Duration limit;
    private final Scheduler timer;

    public StallTimeoutFlux(Flux<? extends ByteBuffer> source, Duration limit, Scheduler timer) {
        super(source);
        this.limit = limit;
        this.timer = timer;
    }

    @Override
    public void subscribe(CoreSubscriber<? super ByteBuffer> actual) {
        source.subscribe(new Run(actual, limit, timer));
    }

    /** One timer serves the whole stream: it looks at what has come since, and is set again if need be. */
    private static final class Run implements CoreSubscriber<ByteBuffer>, Subscription, Runnable {

        private static final int WAITING = 0;
        private static final int GIVING = 1;
        private static final int OVER = 2;

        private final CoreSubscriber<? super ByteBuffer> actual;
        private final Duration limit;
        private final Scheduler timer;
        private final AtomicInteger state = new AtomicInteger(WAITING);
        private final AtomicLong demand = new AtomicLong();
        private final AtomicBoolean set = new AtomicBoolean();
        private final Disposable.Swap alarm = Disposables.swap();
        private volatile Subscription upstream = Operators.emptySubscription();
        private volatile long since;

        Run(CoreSubscriber<? super ByteBuffer> actual, Duration limit, Scheduler timer) {
            this.actual = actual;
            this.limit = limit;
            this.timer = timer;
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription s) {
            upstream = s;
            actual.onSubscribe(this);
        }

        @Override
        public void request(long n) {
            if (!Operators.validate(n)) {
                return;
            }
            // Before the demand is seen by the alarm, and again in case that the last of it was just met.
            if (demand.get() == 0) {
                since = timer.now(TimeUnit.NANOSECONDS);
            }
            if (demand.getAndAccumulate(n, Operators::addCap) == 0) {
                since = timer.now(TimeUnit.NANOSECONDS);
                set(limit.toNanos());
            }
            upstream.request(n);
        }

        private void set(long nanos) {
            if (state.get() == OVER || !set.compareAndSet(false, true)) {
                return;
            }
            try {
                alarm.update(timer.schedule(this, nanos, TimeUnit.NANOSECONDS));
            } catch (RejectedExecutionException refused) {
                end(refused);
            }
        }

        @Override
        public void run() {
            set.set(false);
            if (demand.get() == 0) {
                return;
            }
            long left = limit.toNanos() - (timer.now(TimeUnit.NANOSECONDS) - since);
            if (state.get() == GIVING) {
                set(limit.toNanos());
            } else if (left > 0) {
                set(left);
            } else {
                end(new TimeoutException("the body stood still for " + limit));
            }
        }

        private void end(Throwable error) {
            if (state.compareAndSet(WAITING, OVER)) {
                upstream.cancel();
                actual.onError(error);
            }
        }

        @Override
        public void onNext(ByteBuffer bytes) {
            // A source may give the next from inside of the request for it, while the one before is still being taken.
            boolean outermost = state.compareAndSet(WAITING, GIVING);
            if (!outermost && state.get() == OVER) {
                return;
            }
            demand.getAndUpdate(left -> left == Long.MAX_VALUE ? left : left - 1);
            actual.onNext(bytes);
            if (outermost) {
                since = timer.now(TimeUnit.NANOSECONDS);
                state.compareAndSet(GIVING, WAITING);
            }
        }

        @Override
        public void onError(Throwable error) {
            if (state.getAndSet(OVER) != OVER) {
                alarm.dispose();
                actual.onError(error);
            }
        }

        @Override
        public void onComplete() {
            if (state.getAndSet(OVER) != OVER) {
                alarm.dispose();
                actual.onComplete();
            }
        }

        @Override
        public void cancel() {
            state.set(OVER);
            alarm.dispose();
            upstream.cancel();
        }
    }
}
