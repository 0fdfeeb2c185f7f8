package io.stowline.benchmarks.side.work;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.SignalType;

/** A task that keeps so many requests in flight: each that ends begins the next one. Costs less than operators would. */
public final class Pump implements Task {

    private final int inFlight;
    private final int itemsOfEach;
    private final LongFunction<? extends Publisher<?>> request;
    private final AtomicLong numbers = new AtomicLong();

    public Pump(int inFlight, int itemsOfEach, LongFunction<? extends Publisher<?>> request) {
        this.inFlight = inFlight;
        this.itemsOfEach = itemsOfEach;
        this.request = request;
    }

    @Override
    public Done run(long nanos) throws Exception {
        Round round = new Round(System.nanoTime() + nanos);
        for (int i = 0; i < inFlight; i++) {
            round.begin();
        }
        return round.await();
    }

    private final class Round {

        private final long end;
        private final AtomicLong done = new AtomicLong();
        private final CountDownLatch idle = new CountDownLatch(inFlight);
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        Round(long end) {
            this.end = end;
        }

        void next() {
            if (System.nanoTime() >= end || failure.get() != null) {
                idle.countDown();
            } else {
                begin();
            }
        }

        void begin() {
            request.apply(numbers.getAndIncrement()).subscribe(new One(this));
        }

        Done await() throws Exception {
            idle.await();
            Throwable failed = failure.get();
            if (failed != null) {
                throw new IllegalStateException("a request failed: " + failed.getMessage(), failed);
            }
            return Done.of(done.get() * itemsOfEach);
        }
    }

    private static final class One extends BaseSubscriber<Object> {

        private final Round round;

        One(Round round) {
            this.round = round;
        }

        @Override
        protected void hookFinally(SignalType type) {
            if (type == SignalType.ON_COMPLETE) {
                round.done.incrementAndGet();
            }
            round.next();
        }

        @Override
        protected void hookOnError(Throwable error) {
            round.failure.set(error);
        }
    }
}
