package io.stowline.transport.internal.concurrent;

import io.stowline.error.FailureDetails;
import io.stowline.error.StorageException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.transport.internal.concurrent.FatalErrors.CallEnd;
import io.stowline.transport.internal.error.ExceptionCopier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/** The single wait at the edge of every blocking call. Works on platform and virtual threads. */
public final class BlockingAwait {

    private BlockingAwait() {}

    /**
     * Subscribes and waits for the end.
     *
     * @param mono the operation
     * @return the result, or {@code null} if it has none
     * @throws IllegalStateException on a thread that must not block, such as an event loop
     * @throws StorageInterruptedException if the waiting thread is interrupted; the operation is cancelled, or not begun if the
     *     thread was interrupted before
     */
    public static <T> @Nullable T on(Mono<T> mono) {
        refuseEventLoop();
        return begun(mono, null);
    }

    /**
     * Subscribes and waits for the result of an operation that has one; see {@link #on(Mono)}.
     *
     * @return the result
     */
    public static <T> T result(Mono<T> mono) {
        return Objects.requireNonNull(on(mono), "the operation ended without a result");
    }

    /**
     * Waits for something that is no request of the caller.
     *
     * @param whenInterrupted what an interrupt means for the caller: the message of the exception
     * @return the result, or {@code null} if it has none
     * @throws IllegalStateException on a thread that must not block, such as an event loop
     * @throws StorageInterruptedException if the thread is interrupted, before or while it waits
     */
    public static <T> @Nullable T on(Mono<T> mono, String whenInterrupted) {
        refuseNonBlocking();
        return begun(mono, whenInterrupted);
    }

    /**
     * Waits for work that begins although the thread is interrupted, such as closing.
     *
     * @return the result, or {@code null} if it has none
     * @throws IllegalStateException on a thread that must not block, such as an event loop
     * @throws StorageInterruptedException if the waiting thread is interrupted
     */
    public static <T> @Nullable T onEvenIfInterrupted(Mono<T> mono) {
        refuseNonBlocking();
        return begun(mono, null);
    }

    /**
     * Subscribes and takes the values on this thread as they come.
     *
     * @param ahead the values that are requested before they are taken, at least 1
     * @param taker takes each value; what it throws cancels the operation, and is thrown
     * @throws IllegalStateException on a thread that must not block, such as an event loop
     * @throws StorageInterruptedException if the waiting thread is interrupted; the operation is cancelled, or not begun if the
     *     thread was interrupted before
     */
    public static <T> void each(Flux<T> values, int ahead, Consumer<? super T> taker) {
        refuseEventLoop();
        Taker<T> subscriber = new Taker<>(ahead);
        values.subscribe(subscriber);
        subscriber.take(taker);
    }

    /** Returns the result of a completed future. */
    public static <T> T result(CompletableFuture<T> ended) {
        try {
            return ended.join();
        } catch (CompletionException e) {
            throw CallerStack.of(Objects.requireNonNullElse(e.getCause(), e));
        }
    }

    private static <T> @Nullable T begun(Mono<T> mono, @Nullable String whenInterrupted) {
        Waiter<T> waiter = new Waiter<>(whenInterrupted);
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

    /** A thread that waits for signals, and ends the operation when it is interrupted. */
    private abstract static class WaitingSubscriber<T> implements CoreSubscriber<T>, CallEnd {

        private final long first;
        private final @Nullable String whenInterrupted;
        private final CancelledCalls cancelled = new CancelledCalls(this);
        private final Context context = Callbacks.waiting(Context.of(CancelledCalls.KEY, cancelled));
        private volatile @Nullable Subscription subscription;

        /** Makes a subscriber that first requests this number of values. */
        WaitingSubscriber(long first, @Nullable String whenInterrupted) {
            this.first = first;
            this.whenInterrupted = whenInterrupted;
        }

        @Override
        public final Context currentContext() {
            return context;
        }

        @Override
        public final void onSubscribe(Subscription subscription) {
            this.subscription = subscription;
            subscription.request(first);
        }

        final void requestOne() {
            Subscription running = subscription;
            if (running != null) {
                running.request(1);
            }
        }

        /** Returns whether its last signal has come. */
        abstract boolean isOver();

        @Override
        public final boolean fail(RuntimeException thrown) {
            if (isOver()) {
                return false;
            }
            try {
                cancel();
            } finally {
                onError(thrown);
            }
            return true;
        }

        final void cancel() {
            Subscription running = subscription;
            if (running != null) {
                running.cancel();
            }
        }

        final StorageInterruptedException cancelled(InterruptedException interrupt) {
            cancel();
            Thread.currentThread().interrupt();
            return interrupted(interrupt);
        }

        private StorageInterruptedException interrupted(InterruptedException interrupt) {
            if (whenInterrupted != null) {
                return new StorageInterruptedException(whenInterrupted, interrupt, null);
            }
            FailureDetails carriedOut = cancelled.carriedOut();
            if (carriedOut != null) {
                return new StorageInterruptedException(
                        "interrupted while waiting; the write had been carried out: " + carriedOut.describe(),
                        interrupt,
                        carriedOut);
            }
            FailureDetails known = cancelled.failure();
            if (known == null) {
                return new StorageInterruptedException(interrupt);
            }
            String sent = known.unansweredAttempts() > 0
                    ? "a request had gone out, and may have been applied: "
                    : "no request had gone out that may have been applied: ";
            return new StorageInterruptedException(
                    "interrupted while waiting; " + sent + known.describe(), interrupt, known);
        }
    }

    /** A subscriber that takes values on the waiting thread. */
    private static final class Taker<T> extends WaitingSubscriber<T> {

        /** The end of the values, with its error if it has one. */
        private record End(@Nullable Throwable error) {}

        private final BlockingQueue<Object> signals = new LinkedBlockingQueue<>();

        private volatile boolean over;

        Taker(int ahead) {
            super(ahead, null);
        }

        @Override
        boolean isOver() {
            return over;
        }

        @Override
        public void onNext(T value) {
            signals.add(value);
        }

        @Override
        public void onError(Throwable error) {
            over = true;
            signals.add(new End(error));
        }

        @Override
        public void onComplete() {
            over = true;
            signals.add(new End(null));
        }

        void take(Consumer<? super T> taker) {
            boolean complete = false;
            try {
                Object next = signals.take();
                while (!(next instanceof End)) {
                    accept(taker, next);
                    requestOne();
                    next = signals.take();
                }
                complete = true;
                if (next instanceof End end && end.error() != null) {
                    throw CallerStack.of(end.error());
                }
            } catch (InterruptedException e) {
                throw cancelled(e);
            } finally {
                if (!complete) {
                    cancel();
                }
            }
        }

        @SuppressWarnings("unchecked")
        private void accept(Consumer<? super T> taker, Object value) {
            taker.accept((T) value);
        }
    }

    private static final class Waiter<T> extends WaitingSubscriber<T> {

        private final CountDownLatch ended = new CountDownLatch(1);
        private @Nullable T value;
        private @Nullable Throwable error;

        Waiter(@Nullable String whenInterrupted) {
            super(Long.MAX_VALUE, whenInterrupted);
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

        @Override
        boolean isOver() {
            return ended.getCount() == 0;
        }

        @Nullable
        T await() {
            try {
                ended.await();
            } catch (InterruptedException e) {
                throw cancelled(e);
            }
            if (error != null) {
                throw CallerStack.of(error);
            }
            return value;
        }
    }

    /**
     * A holder that gives the error of a blocking call the stack of its caller. An operation ends on an I/O or timer thread, whose frames reveal nothing of
     * the calling code.
     */
    private static final class CallerStack {

        private static final String HERE = "io.stowline.transport.internal.";
        private static final List<String> MACHINERY =
                List.of("reactor.", "io.netty.", "com.azure.core.", "java.util.concurrent.", "java.util.TimerThread");

        private CallerStack() {}

        /**
         * Returns the error as the waiting thread throws it: a storage exception is copied, since several callers may
         * wait for one; any other one is thrown itself.
         */
        static RuntimeException of(Throwable error) {
            Throwable cause = Exceptions.unwrap(error);
            List<StackTraceElement> caller = caller();
            if (cause instanceof StorageException known) {
                StorageException again = ExceptionCopier.again(known);
                again.setStackTrace(caller.toArray(StackTraceElement[]::new));
                return again;
            }
            Throwable unchecked = cause instanceof Error ? cause : Exceptions.propagate(cause);
            List<StackTraceElement> made = Arrays.asList(unchecked.getStackTrace());
            boolean here = made.stream().anyMatch(frame -> frame.getClassName().equals(BlockingAwait.class.getName()));
            List<StackTraceElement> shown = new ArrayList<>(made);
            shown.removeIf(CallerStack::machinery);
            if (!here) {
                shown.addAll(caller);
            }
            unchecked.setStackTrace(shown.toArray(StackTraceElement[]::new));
            return unchecked(unchecked);
        }

        /** Throws an error of the application, such as a failed assertion, here. */
        private static RuntimeException unchecked(Throwable thrown) {
            if (thrown instanceof Error error) {
                throw error;
            }
            return (RuntimeException) thrown;
        }

        private static List<StackTraceElement> caller() {
            List<StackTraceElement> frames = new ArrayList<>(Arrays.asList(new Throwable().getStackTrace()));
            while (!frames.isEmpty() && frames.get(0).getClassName().startsWith(HERE)) {
                frames.remove(0);
            }
            return frames;
        }

        private static boolean machinery(StackTraceElement frame) {
            return MACHINERY.stream().anyMatch(frame.getClassName()::startsWith);
        }
    }
}
