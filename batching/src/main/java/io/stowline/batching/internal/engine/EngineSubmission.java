package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.callback.FailedOutcome;
import io.stowline.batching.internal.engine.WriterBarriers.FlushEpoch;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The result of one submitted item, its callbacks, and what it takes in the buffer; partly guarded by the engine's lock. A client extends it
 * by its own interface, so that its caller reads one object for a result.
 */
public class EngineSubmission<R> implements PendingItem<R>, Runnable {

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<EngineSubmission, Listener> LISTENERS =
            AtomicReferenceFieldUpdater.newUpdater(EngineSubmission.class, Listener.class, "listeners");

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<EngineSubmission> UNDELIVERED =
            AtomicIntegerFieldUpdater.newUpdater(EngineSubmission.class, "undelivered");

    private static final Listener<?> OVER = new Listener<>();

    private final EngineBatcher<?, ?, R> batcher;
    private volatile @Nullable Object outcome;

    /** Written before the outcome: a result that is not read stays out of the cache. */
    private boolean failed;

    private volatile @Nullable Listener<?> listeners;
    private volatile boolean taken;

    /** Guarded by the engine's lock: what this is the result of, until it is terminal. */
    @Nullable
    BufferedItem<?, ?, R> entry;

    /** Guarded by the engine's lock. */
    @Nullable
    FlushEpoch epoch;

    /** Guarded by the engine's lock: another submission whose item was merged into the same entry. */
    @Nullable
    EngineSubmission<R> merged;

    /** Guarded by the engine's lock: the items and bytes that it takes in the buffer, none unless it was accepted. */
    private int items;

    private int bytes;

    /** The callbacks that have not run, and one for {@link #announce}. */
    @SuppressWarnings("UnusedVariable") // read by its updater
    private volatile int undelivered;

    /** Guarded by the engine's lock: the failure of the item as long as it is counted as not taken. */
    @Nullable
    Throwable uncollected;

    /** Makes the submission of an item that a writer of the engine takes. */
    protected EngineSubmission(Batcher<?, ?, R> batcher) {
        this.batcher = (EngineBatcher<?, ?, R>) batcher;
    }

    @Override
    public final boolean cancel() {
        return outcome == null && batcher.cancel(this);
    }

    @Override
    public final boolean isDone() {
        return outcome != null;
    }

    @Override
    public final Mono<R> result() {
        return Mono.create(sink -> whenComplete((value, error) -> {
            if (error != null) {
                sink.error(error);
            } else {
                sink.success(value);
            }
        }));
    }

    @Override
    public final CompletableFuture<R> toFuture() {
        CompletableFuture<R> future = new ResultFuture();
        whenComplete((value, error) -> {
            if (error != null) {
                future.completeExceptionally(error);
            } else {
                future.complete(value);
            }
        });
        return future;
    }

    @Override
    public final R await() throws InterruptedException {
        Object landed = outcome;
        if (landed == null || failed) {
            take();
            if (landed == null) {
                park();
            }
            landed = outcome;
        }
        return resultOrThrow(Objects.requireNonNull(landed));
    }

    @Override
    public final void whenComplete(BiConsumer<? super @Nullable R, ? super @Nullable Throwable> callback) {
        listen(callback, batcher.callbacks().requester());
    }

    /** Has a callback called, on another thread while the callback that registered it still runs. */
    void listen(BiConsumer<? super @Nullable R, ? super @Nullable Throwable> callback, @Nullable Object requester) {
        Listener<R> listener = new Listener<>(this, Objects.requireNonNull(callback, "callback"), requester);
        take();
        if (!add(listener)) {
            if (UNDELIVERED.getAndIncrement(this) == 0) {
                batcher.holdResult(this);
            }
            call(listener);
        }
    }

    /** Takes room in the buffer from the acceptance until the callbacks have run. Called under the engine's lock. */
    void hold(int bytes) {
        this.items = 1;
        this.bytes = bytes;
    }

    /** Returns its bytes in the buffer. Called under the engine's lock. */
    int bytes() {
        return bytes;
    }

    /**
     * Counts its result as one that waits for callbacks, or removes it from the count. Called under the engine's lock.
     */
    void undelivered(int sign) {
        batcher.buffer().addResults(sign * items, (long) sign * bytes);
    }

    /**
     * Sets the outcome unless there is one; true when {@link #announce} must follow. Called under the engine's lock.
     */
    boolean publish(Object outcome) {
        if (this.outcome != null) {
            return false;
        }
        this.failed = outcome instanceof FailedOutcome;
        this.outcome = outcome;
        if (LISTENERS.compareAndSet(this, null, OVER)) {
            return false;
        }
        undelivered = 1;
        return true;
    }

    boolean isTaken() {
        return taken;
    }

    @Override
    public final void run() {
        announce();
    }

    /** Calls all listeners in the order of their coming. */
    void announce() {
        Listener<?> ordered = null;
        Listener<?> newest = LISTENERS.getAndSet(this, OVER);
        if (newest != null && newest.callback != null && newest.next == null) {
            call(newest); // the only one, which takes over the count
            return;
        }
        while (newest != null && newest != OVER) {
            Listener<?> older = newest.next;
            newest.next = ordered;
            ordered = newest;
            newest = older;
        }
        for (Listener<?> listener = ordered; listener != null; listener = listener.next) {
            if (listener.callback != null) {
                UNDELIVERED.incrementAndGet(this);
            }
            call(listener);
        }
        delivered();
    }

    private void delivered() {
        if (UNDELIVERED.decrementAndGet(this) == 0) {
            batcher.releaseResult(this);
        }
    }

    private void take() {
        if (!taken) {
            taken = true;
            if (outcome != null && failed) {
                batcher.collect(this);
            }
        }
    }

    private void park() throws InterruptedException {
        if (Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException(
                    "await() would block " + Thread.currentThread().getName() + "; use result()");
        }
        batcher.callbacks().beforeWaiting();
        add(new Listener<R>(Thread.currentThread()));
        while (outcome == null) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while waiting for a result");
            }
            LockSupport.park(this);
        }
    }

    private boolean add(Listener<R> listener) {
        while (true) {
            Listener<?> newest = listeners;
            if (newest == OVER) {
                return false;
            }
            listener.next = newest;
            if (LISTENERS.compareAndSet(this, newest, listener)) {
                return true;
            }
        }
    }

    private void call(Listener<?> listener) {
        if (listener.callback == null) {
            LockSupport.unpark(listener.thread);
        } else {
            batcher.callbacks().run(listener, listener.requester);
        }
    }

    @SuppressWarnings({"NullAway", "unchecked"}) // a callback gets one of the two
    private void deliver(BiConsumer<?, ?> given) {
        BiConsumer<Object, Object> callback = (BiConsumer<Object, Object>) given;
        Object result = outcome;
        try {
            if (result instanceof FailedOutcome failure) {
                callback.accept(null, failure.error());
            } else {
                callback.accept(result, null);
            }
        } finally {
            delivered();
        }
    }

    @SuppressWarnings("unchecked")
    private R resultOrThrow(Object result) {
        if (failed) {
            throw FailedOutcome.unchecked(((FailedOutcome) result).error());
        }
        return (R) result;
    }

    /**
     * A future that a callback can wait for, wherever it was made: the callback delivers the result itself, since the
     * executor's other threads may wait, too.
     */
    private final class ResultFuture extends CompletableFuture<R> {

        @Override
        public R join() {
            try {
                arrive();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw batcher.errors().interrupted("interrupted while waiting for a result", interrupted);
            }
            return super.join();
        }

        @Override
        public R get() throws InterruptedException, ExecutionException {
            arrive();
            return super.get();
        }

        private void arrive() throws InterruptedException {
            if (isDone() || batcher.callbacks().current() == null) {
                return;
            }
            if (outcome == null) {
                park();
            }
            deliverHere(Objects.requireNonNull(outcome));
        }

        @SuppressWarnings("unchecked")
        private void deliverHere(Object result) {
            if (result instanceof FailedOutcome failure) {
                completeExceptionally(failure.error());
            } else {
                complete((R) result);
            }
        }
    }

    /** A callback or a parked thread. */
    private static final class Listener<R> implements Runnable {

        private final @Nullable EngineSubmission<R> submission;
        private final @Nullable BiConsumer<? super @Nullable R, ? super @Nullable Throwable> callback;
        private final @Nullable Object requester;
        private final @Nullable Thread thread;
        private @Nullable Listener<?> next;

        private Listener(
                @Nullable EngineSubmission<R> submission,
                @Nullable BiConsumer<? super @Nullable R, ? super @Nullable Throwable> callback,
                @Nullable Object requester,
                @Nullable Thread thread) {
            this.submission = submission;
            this.callback = callback;
            this.requester = requester;
            this.thread = thread;
        }

        Listener() {
            this(null, null, null, null);
        }

        Listener(Thread parked) {
            this(null, null, null, parked);
        }

        Listener(
                EngineSubmission<R> submission,
                BiConsumer<? super @Nullable R, ? super @Nullable Throwable> callback,
                @Nullable Object requester) {
            this(submission, callback, requester, null);
        }

        /** Delivers the result to the callback; called as a callback. */
        @Override
        public void run() {
            if (submission != null && callback != null) {
                submission.deliver(callback);
            }
        }
    }
}
