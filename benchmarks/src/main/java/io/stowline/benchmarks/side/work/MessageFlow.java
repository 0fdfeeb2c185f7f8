package io.stowline.benchmarks.side.work;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.BaseSubscriber;

/**
 * A task that has a consumer handle messages while the same client sends more of them: each one that is handled makes room for the next one. A handler
 * waits 10 ms. Ends when all that were sent are handled and the consumer has stopped, and counts the requests.
 */
public final class MessageFlow implements Task {

    /** Handlers at a time. */
    public static final int HANDLERS = 16;

    /** Sends in flight at most, and the least that a round sends. */
    public static final int SENDS = 32;

    /** Messages that are sent and not handled: more than a consumer holds, so that receives are full. */
    private static final int WAITING = 512;

    private static final long HANDLING_MILLIS = 10;
    private static final long GUARD_SECONDS = 60;

    private final LongFunction<? extends Publisher<?>> send;
    private final Start consumer;
    private final Callable<Long> requests;
    private long sentBefore;

    /**
     * A flow.
     *
     * @param send sends the message of this number
     * @param consumer starts a consumer of the same queue
     * @param requests how many requests the server has received about the queue
     */
    public MessageFlow(LongFunction<? extends Publisher<?>> send, Start consumer, Callable<Long> requests) {
        this.send = send;
        this.consumer = consumer;
        this.requests = requests;
    }

    /** The start of a consumer. */
    @FunctionalInterface
    public interface Start {

        /** Returns the consumer; closing it waits until its messages have ended. */
        AutoCloseable with(Handler handler);
    }

    /** The handling of a message by a consumer. */
    @FunctionalInterface
    public interface Handler {

        void handle(String body) throws InterruptedException;
    }

    @Override
    public Done run(long nanos) throws Exception {
        long before = requests.call();
        Round round = new Round(System.nanoTime() + nanos);
        AutoCloseable running = consumer.with(round::handle);
        try {
            round.send();
            round.await();
        } finally {
            running.close();
        }
        return new Done(round.sent, Double.NaN, requests.call() - before);
    }

    private final class Round {

        private final long end;
        private final CountDownLatch over = new CountDownLatch(1);
        private @Nullable Throwable failure;
        private long sent;
        private long handled;
        private int inFlight;

        Round(long end) {
            this.end = end;
        }

        void send() {
            for (long number = next(); number >= 0; number = next()) {
                send.apply(number).subscribe(new Sent(this));
            }
        }

        /** The number of the next message, or -1 if none is to be sent now. */
        private synchronized long next() {
            boolean more = sent < SENDS || (System.nanoTime() < end && failure == null);
            if (!more || inFlight == SENDS || sent - handled == WAITING) {
                return -1;
            }
            inFlight++;
            sent++;
            return sentBefore++;
        }

        void sent(@Nullable Throwable error) {
            synchronized (this) {
                inFlight--;
                failure = failure == null ? error : failure;
            }
            send();
            endIfDone();
        }

        void handle(String body) throws InterruptedException {
            if (body.isEmpty()) {
                throw new IllegalStateException("a message without a body");
            }
            Thread.sleep(HANDLING_MILLIS);
            synchronized (this) {
                handled++;
            }
            send();
            endIfDone();
        }

        private synchronized void endIfDone() {
            if (failure != null || (inFlight == 0 && handled == sent && System.nanoTime() >= end)) {
                over.countDown();
            }
        }

        void await() throws InterruptedException {
            boolean done = over.await(GUARD_SECONDS, TimeUnit.SECONDS);
            synchronized (this) {
                if (!done || failure != null) {
                    throw new IllegalStateException(handled + " of " + sent + " messages were handled", failure);
                }
            }
        }
    }

    private static final class Sent extends BaseSubscriber<Object> {

        private final Round round;

        Sent(Round round) {
            this.round = round;
        }

        @Override
        protected void hookOnComplete() {
            round.sent(null);
        }

        @Override
        protected void hookOnError(Throwable error) {
            round.sent(error);
        }
    }
}
