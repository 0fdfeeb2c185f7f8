package io.stowline.batching;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One subscription to what is written: takes items from upstream into the batcher, and hands out their results.
 *
 * <p>What upstream was asked for and has no result handed out never exceeds the window, wherever it waits. Results are
 * handed out and upstream is asked in {@link #run} only, so never twice at once, and as a callback.
 */
final class WriteRun<K, I, C, R> implements CoreSubscriber<Tagged<K, I, C>>, Subscription, Runnable {

    private final Batcher<K, I, R> batcher;
    private final CoreSubscriber<? super TaggedResult<C, R>> downstream;
    private final WriteItems<C, R> items = new WriteItems<>();
    private final Callbacks.@Nullable Call asker = Callbacks.asking();
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

    /** Of {@link #run} only: the results handed out, what upstream may still be asked for, whether the end was told. */
    private long emitted;

    private long due;
    private boolean over;

    WriteRun(Batcher<K, I, R> batcher, CoreSubscriber<? super TaggedResult<C, R>> downstream, int window) {
        this.batcher = batcher;
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
    public void onNext(Tagged<K, I, C> tagged) {
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
            items.land(item, new Failure(refusal));
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
        if (upstream != null) {
            upstream.cancel();
        }
        items.open().forEach(Submission::cancel);
        items.clear();
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
                ask();
                seen = work.addAndGet(-seen);
            }
        } catch (Throwable broken) {
            cancel();
            throw broken;
        }
    }

    private void submit(Tagged<K, I, C> tagged, WriteItem<C, R> item) {
        K key = tagged.key;
        I given = tagged.item;
        if (key == null || given == null) {
            items.land(item, new Failure(Objects.requireNonNull(tagged.refusal)));
            awake();
            return;
        }
        Submission<R> submission = batcher.enlist(key, given, item, asker);
        items.enter(item, submission);
        if (cancelled) { // the cancel may not have seen it
            submission.cancel();
        }
    }

    /** Has {@link #run} called as a callback; when it is running it goes round once more. */
    private void awake() {
        if (work.getAndIncrement() == 0) {
            batcher.callbacks().run(this, asker);
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
            ask();
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

    private void ask() {
        if (!cancelled && !complete && due >= quantum && requested.get() > 0 && upstream != null) {
            long more = due;
            due = 0;
            try {
                upstream.request(more);
            } catch (Throwable broken) { // what its operators take for fatal they throw and do not tell
                upstream.cancel();
                onError(broken);
            }
        }
    }
}
