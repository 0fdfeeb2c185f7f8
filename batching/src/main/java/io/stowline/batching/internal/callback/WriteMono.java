package io.stowline.batching.internal.callback;

import io.stowline.batching.internal.callback.WriteFlux.WriteTarget;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/**
 * The result of one item, which is made and submitted on subscription. One operator in place of a deferral, a mapping and a sink, since
 * each item of a reactive writer goes through it.
 */
public final class WriteMono<K, I, R> extends Mono<R> {

    private final WriteTarget<K, I, R> batcher;
    private final Supplier<TaggedItem<K, I, ?>> item;

    private WriteMono(WriteTarget<K, I, R> batcher, Supplier<TaggedItem<K, I, ?>> item) {
        this.batcher = batcher;
        this.item = item;
    }

    /**
     * Submits an item for each subscription, waiting for room without blocking a thread. Cancelling the subscription cancels the item like
     * {@link PendingItem#cancel()}.
     *
     * @param batcher the writer, of a batching engine
     * @param item makes the item at the subscription; what it throws is the result, as is the error of a refused one
     */
    @SuppressWarnings("unchecked")
    public static <K, I, R> Mono<R> write(Batcher<K, I, R> batcher, Supplier<TaggedItem<K, I, ?>> item) {
        Objects.requireNonNull(item, "item");
        return onAssembly(new WriteMono<>((WriteTarget<K, I, R>) batcher, item));
    }

    @Override
    public void subscribe(CoreSubscriber<? super R> downstream) {
        ItemSubscription<R> subscription = new ItemSubscription<>(downstream);
        downstream.onSubscribe(subscription);
        try {
            submit(subscription);
        } catch (Throwable refusal) { // Reactor would throw what it takes for fatal, not emit it
            subscription.accept(null, refusal);
        }
    }

    private void submit(ItemSubscription<R> subscription) {
        if (subscription.isOver()) {
            return;
        }
        TaggedItem<K, I, ?> made = item.get();
        K key = made.key;
        I given = made.item;
        if (subscription.isOver()) {
            return;
        }
        if (key == null || given == null) {
            subscription.accept(null, Objects.requireNonNull(made.refusal));
            return;
        }
        CallbackRunner callbacks = batcher.callbacks();
        Object requester = callbacks.requester(subscription.downstream.currentContext());
        subscription.begin(batcher.enlist(key, given, subscription, requester));
        callbacks.letCurrentWait();
    }

    /** One subscription, and the callback that takes the result of its item. */
    private static final class ItemSubscription<R>
            implements Subscription, BiConsumer<@Nullable R, @Nullable Throwable> {

        private static final int REQUESTED = 1;
        private static final int LANDED = 2;
        private static final int OVER = 3;

        @SuppressWarnings("rawtypes")
        private static final AtomicIntegerFieldUpdater<ItemSubscription> STATE =
                AtomicIntegerFieldUpdater.newUpdater(ItemSubscription.class, "state");

        private final CoreSubscriber<? super R> downstream;
        private volatile @Nullable PendingItem<R> submission;
        private volatile int state;

        /** Written before the state is {@link #LANDED}. */
        private @Nullable R result;

        ItemSubscription(CoreSubscriber<? super R> downstream) {
            this.downstream = downstream;
        }

        /** Returns whether it was cancelled or has its end. */
        boolean isOver() {
            return state == OVER;
        }

        /** Notes what would cancel the item; a cancel may not have seen it. */
        void begin(PendingItem<R> submitted) {
            submission = submitted;
            if (isOver()) {
                submitted.cancel();
            }
        }

        @Override
        public void accept(@Nullable R value, @Nullable Throwable error) {
            if (error != null || value == null) {
                end(error);
            } else if (!STATE.compareAndSet(this, REQUESTED, OVER)) {
                result = value;
                if (!STATE.compareAndSet(this, 0, LANDED) && STATE.compareAndSet(this, REQUESTED, OVER)) {
                    emit(value);
                }
            } else {
                emit(value);
            }
        }

        private void end(@Nullable Throwable error) {
            if (STATE.getAndSet(this, OVER) == OVER) {
                return;
            }
            if (error == null) {
                downstream.onComplete();
            } else {
                downstream.onError(error);
            }
        }

        private void emit(R value) {
            try {
                downstream.onNext(value);
                downstream.onComplete();
            } catch (Throwable thrown) {
                downstream.onError(thrown);
            }
        }

        @Override
        public void request(long count) {
            if (!Operators.validate(count) || STATE.compareAndSet(this, 0, REQUESTED)) {
                return;
            }
            R landed = result;
            if (landed != null && STATE.compareAndSet(this, LANDED, OVER)) {
                emit(landed);
            }
        }

        @Override
        public void cancel() {
            if (STATE.getAndSet(this, OVER) != OVER) {
                PendingItem<R> submitted = submission;
                if (submitted != null) {
                    submitted.cancel();
                }
            }
        }
    }
}
