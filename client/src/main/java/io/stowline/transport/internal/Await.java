package io.stowline.transport.internal;

import io.stowline.error.StorageInterruptedException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

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
     * @throws StorageInterruptedException if the waiting thread is interrupted; the operation is cancelled
     */
    public static <T> @Nullable T on(Mono<T> mono) {
        refuseEventLoop();
        Waiter<T> waiter = new Waiter<>();
        mono.subscribe(waiter);
        return waiter.await();
    }

    /** Refuses to block a thread that serves others. */
    public static void refuseEventLoop() {
        if (Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException("a blocking call of Stowline on the thread "
                    + Thread.currentThread().getName()
                    + ", which must not block: use the reactive() face there");
        }
    }

    private static final class Waiter<T> implements CoreSubscriber<T> {

        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile @Nullable Subscription subscription;
        private @Nullable T value;
        private @Nullable Throwable error;

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
                throw new StorageInterruptedException(e);
            }
            if (error != null) {
                RuntimeException unchecked = Exceptions.propagate(Exceptions.unwrap(error));
                unchecked.addSuppressed(new Exception("the blocking call that waited"));
                throw unchecked;
            }
            return value;
        }
    }
}
