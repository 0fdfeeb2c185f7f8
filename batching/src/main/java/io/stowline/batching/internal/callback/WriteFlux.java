package io.stowline.batching.internal.callback;

import io.stowline.batching.internal.callback.WriteItems.WriteItem;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** The results of the items that a publisher gives to a writer; each subscription writes on its own. */
public final class WriteFlux<K, I, C, R> extends Flux<TaggedResult<C, R>> {

    private static final int WINDOW = 1_024;

    /** A writer as the stream sees it. */
    public interface WriteTarget<K, I, R> {

        /** Returns the callbacks that hand out the results. */
        CallbackRunner callbacks();

        /** Accepts an item or has it wait for room without a thread; its result counts as taken. */
        PendingItem<R> enlist(
                K key,
                I item,
                BiConsumer<? super @Nullable R, ? super @Nullable Throwable> callback,
                @Nullable Object requester);
    }

    private final WriteTarget<K, I, R> batcher;
    private final Flux<? extends TaggedItem<K, I, C>> items;
    private final int window;

    private WriteFlux(WriteTarget<K, I, R> batcher, Publisher<? extends TaggedItem<K, I, C>> items, int window) {
        this.batcher = batcher;
        this.items = Flux.from(items);
        this.window = window;
    }

    /**
     * Submits what a publisher gives, with a window of 1,024 items, or {@code bufferItems} when that is less; see
     * {@link #writeAll(Batcher, Publisher, int)}.
     */
    public static <K, I, C, R> Flux<TaggedResult<C, R>> writeAll(
            Batcher<K, I, R> batcher, Publisher<? extends TaggedItem<K, I, C>> items) {
        return writeAll(batcher, items, Math.min(WINDOW, batcher.settings().bufferItems()));
    }

    /**
     * Submits what a publisher gives, and gives the results in the order of their coming. Starts at the first request.
     *
     * <ul>
     *   <li>An item that is refused or fails is a result; only the publisher's own error ends in one, after the results
     *       of all that came before it. Every result counts as taken.
     *   <li>Items wait for room without a thread, and results until they are requested; the publisher never gets a request for
     *       more than the window beyond the results that were handed out.
     *   <li>Cancelling cancels the publisher and its items like {@link PendingItem#cancel()}.
     *   <li>Results are handed out, and the publisher gets its requests, on the callback executor. When the writer closes or
     *       breaks, the items that follow fail one by one.
     * </ul>
     *
     * @param batcher the writer, of a batching engine
     * @param window the most items that are requested and have no result handed out, 1 to {@code bufferItems}
     * @throws IllegalArgumentException if the window is out of range
     */
    @SuppressWarnings("unchecked")
    public static <K, I, C, R> Flux<TaggedResult<C, R>> writeAll(
            Batcher<K, I, R> batcher, Publisher<? extends TaggedItem<K, I, C>> items, int window) {
        Objects.requireNonNull(items, "items");
        int max = batcher.settings().bufferItems();
        if (window < 1 || window > max) {
            throw new IllegalArgumentException("window must be between 1 and " + max + " but was " + window);
        }
        return onAssembly(new WriteFlux<>((WriteTarget<K, I, R>) batcher, items, window));
    }

    @Override
    public void subscribe(CoreSubscriber<? super TaggedResult<C, R>> downstream) {
        items.subscribe(new WriteRun<>(batcher, downstream, window));
    }

    /**
     * One subscription to what is written: takes items from upstream into the batcher, and hands out their results.
     *
     * <p>What is requested from upstream and has no result handed out never exceeds the window, wherever it waits. Results are
     * handed out and upstream gets its requests in {@link #run} only, so never twice at once, and as a callback.
     */
    public static final class WriteRun<K, I, C, R>
            implements CoreSubscriber<TaggedItem<K, I, C>>, Subscription, Runnable {

        private final WriteTarget<K, I, R> batcher;
        private final CoreSubscriber<? super TaggedResult<C, R>> downstream;
        private final WriteItems<C, R> items = new WriteItems<>();
        private final @Nullable Object requester;
        private final AtomicInteger work = new AtomicInteger();
        private final AtomicLong requested = new AtomicLong();
        private final int quantum;
        private @Nullable Subscription upstream;

        /** Written by upstream only. */
        private volatile long arrived;

        private volatile boolean complete;
        private @Nullable Throwable error;
        private volatile boolean cancelled;
        private volatile @Nullable Throwable badRequest;

        /**
         * Written by {@link #run} only: the results handed out, the demand left for upstream, whether the end was
         * signalled.
         */
        private long emitted;

        private long due;
        private boolean over;

        public WriteRun(
                WriteTarget<K, I, R> batcher, CoreSubscriber<? super TaggedResult<C, R>> downstream, int window) {
            this.batcher = batcher;
            this.requester = batcher.callbacks().requester();
            this.downstream = downstream;
            this.quantum = Math.max(1, window / 4);
            this.due = window;
        }

        @Override
        public Context currentContext() {
            return downstream.currentContext();
        }

        @Override
        public void onSubscribe(Subscription given) {
            if (Operators.validate(upstream, given)) {
                upstream = given;
                downstream.onSubscribe(this);
            }
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // upstream's signals come one after the other
        public void onNext(TaggedItem<K, I, C> tagged) {
            Objects.requireNonNull(tagged, "item");
            if (complete || cancelled) {
                Operators.onNextDropped(tagged, currentContext());
                return;
            }
            arrived++;
            WriteItem<C, R> item = new WriteItem<>(this, tagged.tag());
            try {
                submit(tagged, item);
            } catch (Throwable refusal) {
                items.land(item, new FailedOutcome(refusal));
                awake();
            }
        }

        @Override
        public void onError(Throwable failure) {
            if (complete) {
                Operators.onErrorDropped(failure, currentContext());
                return;
            }
            error = failure;
            onComplete();
        }

        @Override
        public void onComplete() {
            complete = true;
            awake();
        }

        @Override
        public void request(long count) {
            if (cancelled) {
                return;
            }
            if (count > 0) {
                requested.accumulateAndGet(count, Operators::addCap);
            } else {
                badRequest = new IllegalArgumentException("at least 1 result must be requested but was " + count);
                cancel();
            }
            awake();
        }

        @Override
        public void cancel() {
            cancelled = true;
            items.open().forEach(PendingItem::cancel);
            items.clear();
            if (upstream != null) { // the application's, which may throw, comes last
                upstream.cancel();
            }
        }

        /** Takes a result; on a thread that runs callbacks. */
        void land(WriteItem<C, R> item, Object outcome) {
            items.land(item, outcome);
            if (work.getAndIncrement() == 0) {
                run();
            }
        }

        @Override
        public void run() {
            int seen = 1;
            try {
                while (seen != 0) {
                    handOut();
                    end();
                    request();
                    seen = work.addAndGet(-seen);
                }
            } catch (Throwable broken) {
                cancel();
                throw broken;
            }
        }

        private void submit(TaggedItem<K, I, C> tagged, WriteItem<C, R> item) {
            K key = tagged.key;
            I given = tagged.item;
            if (key == null || given == null) {
                items.land(item, new FailedOutcome(Objects.requireNonNull(tagged.refusal)));
                awake();
                return;
            }
            PendingItem<R> submission = batcher.enlist(key, given, item, requester);
            items.enter(item, submission);
            if (cancelled) { // the cancel may not have seen it
                submission.cancel();
            }
        }

        /** Has {@link #run} called as a callback; when it is running it goes round once more. */
        private void awake() {
            if (work.getAndIncrement() == 0) {
                batcher.callbacks().run(this, requester);
            }
        }

        private void handOut() {
            while (!cancelled && emitted != requested.get()) {
                TaggedResult<C, R> result = items.poll();
                if (result == null) {
                    return;
                }
                emitted++;
                due++;
                downstream.onNext(result);
                request();
            }
        }

        private void end() {
            if (over) {
                return;
            }
            Throwable reason = badRequest;
            if (cancelled) {
                items.clear();
                over = reason != null;
            } else if (complete && emitted == arrived) {
                over = true;
                reason = error;
            }
            if (over && reason != null) {
                downstream.onError(reason);
            } else if (over) {
                downstream.onComplete();
            }
        }

        private void request() {
            if (!cancelled && !complete && due >= quantum && requested.get() > 0 && upstream != null) {
                long more = due;
                due = 0;
                try {
                    upstream.request(more);
                } catch (Throwable broken) { // its operators throw what they take for fatal, and do not emit it
                    upstream.cancel();
                    onError(broken);
                }
            }
        }
    }
}
