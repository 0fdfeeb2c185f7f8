package io.stowline.transport.internal;

import io.stowline.error.Failure;
import io.stowline.error.StorageInterruptedException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/** The single wait at the edge of every blocking call. Works on platform and virtual threads. */
public final class Await {

    private Await() {}

    /**
     * Subscribes and waits for the end.
     *
     * @param mono the operation
     * @param <T> its result
     * @return the result, or {@code null} if it has none
     * @throws IllegalStateException on a thread that must not block, such as an event loop
     * @throws StorageInterruptedException if the waiting thread is interrupted; the operation is cancelled, or not begun if the
     *     thread was interrupted before
     */
    public static <T> @Nullable T on(Mono<T> mono) {
        refuseEventLoop();
        return begun(mono);
    }

    /**
     * The same for work that begins although the thread is interrupted, such as closing.
     *
     * @param mono the work
     * @param <T> its result
     * @return the result, or {@code null} if it has none
     * @throws IllegalStateException on a thread that must not block, such as an event loop
     * @throws StorageInterruptedException if the waiting thread is interrupted
     */
    public static <T> @Nullable T onEvenIfInterrupted(Mono<T> mono) {
        refuseNonBlocking();
        return begun(mono);
    }

    private static <T> @Nullable T begun(Mono<T> mono) {
        Waiter<T> waiter = new Waiter<>();
        mono.subscribe(waiter);
        return waiter.await();
    }

    /** Refuses to block a thread that serves others, and to begin a call on a thread that is interrupted: it sends nothing (RETRY-8). */
    public static void refuseEventLoop() {
        refuseNonBlocking();
        if (Thread.currentThread().isInterrupted()) {
            throw new StorageInterruptedException(
                    "the thread was interrupted before the call: nothing was sent", new InterruptedException(), null);
        }
    }

    private static void refuseNonBlocking() {
        if (Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException("a blocking call of Stowline on the thread "
                    + Thread.currentThread().getName()
                    + ", which must not block: use the reactive() face there");
        }
    }

    private static final class Waiter<T> implements CoreSubscriber<T> {

        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile @Nullable Subscription subscription;
        private final CancelledCalls cancelled = new CancelledCalls();
        private @Nullable T value;
        private @Nullable Throwable error;

        @Override
        public Context currentContext() {
            return Context.of(CancelledCalls.KEY, cancelled);
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            this.subscription = subscription;
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(T value) {
            this.value = value;
        }

        @Override
        public void onError(Throwable error) {
            this.error = error;
            ended.countDown();
        }

        @Override
        public void onComplete() {
            ended.countDown();
        }

        @Nullable
        T await() {
            try {
                ended.await();
            } catch (InterruptedException e) {
                Subscription running = subscription;
                if (running != null) {
                    running.cancel();
                }
                Thread.currentThread().interrupt();
                throw interrupted(e);
            }
            if (error != null) {
                throw CallerStack.of(error);
            }
            return value;
        }

        private StorageInterruptedException interrupted(InterruptedException interrupt) {
            Failure known = cancelled.failure();
            if (known == null) {
                return new StorageInterruptedException(interrupt);
            }
            String sent = known.unanswered() > 0
                    ? "a request had gone out, and may have been applied: "
                    : "no request had gone out that may have been applied: ";
            return new StorageInterruptedException(
                    "interrupted while waiting; " + sent + known.describe(), interrupt, known);
        }
    }
}
