package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.batching.internal.writer.Batcher;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** An engine with a sender that replies when the test says so, a clock that the test moves, and recorded callbacks. */
final class Rig {

    static final BatchLimits LIMITS = new BatchLimits(4, 1_000, 100);

    final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    final List<Sent> sent = new ArrayList<>();
    private final ArrayDeque<Runnable> recorded;
    final BatchingEngine<String, Item, String> lanes;
    private int next;

    Rig() {
        this(given -> given);
    }

    Rig(UnaryOperator<BatchingEngine.Builder<String, Item, String>> given) {
        this(given, new ArrayDeque<>());
    }

    private Rig(UnaryOperator<BatchingEngine.Builder<String, Item, String>> given, ArrayDeque<Runnable> recorded) {
        this.recorded = recorded;
        this.lanes = given.apply(TestEngine.<String, Item, String>builder(new Item.Descriptor(), this::send)
                        .limits(LIMITS.maxItems(), LIMITS.maxBytes(), LIMITS.envelopeBytes())
                        .callbacks(TestCallbacks.on(Runnable::run))
                        .timer(time))
                .build();
    }

    /** A rig whose callbacks are kept until {@link #runCallbacks()}. */
    static Rig recording() {
        ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        return new Rig(given -> given.callbacks(TestCallbacks.on(tasks::add)), tasks);
    }

    int runCallbacks() {
        return runCallbacks(Integer.MAX_VALUE);
    }

    int runCallbacks(int max) {
        int count = 0;
        for (Runnable task = recorded.poll(); task != null; task = ++count < max ? recorded.poll() : null) {
            task.run();
        }
        return count;
    }

    private Mono<BatchReply<String>> send(DeliveryBatch<String, Item> batch) {
        Sent one = new Sent(batch);
        sent.add(one);
        return one.reply();
    }

    Batcher<String, Item, String> batcher() {
        return batcher(given -> given);
    }

    Batcher<String, Item, String> batcher(UnaryOperator<TestSettings> given) {
        return lanes.batcher(given.apply(TestSettings.builder()).build());
    }

    /** The next batch that was sent; fails when there is none. */
    Sent next() {
        if (next >= sent.size()) {
            throw new AssertionError("nothing more was sent after " + next + " batches");
        }
        return sent.get(next++);
    }

    boolean isQuiet() {
        return next == sent.size();
    }

    /** Replies to all batches until no more are sent; returns the number of batches. */
    int finishAll() {
        int batches = 0;
        while (!isQuiet()) {
            next().done();
            batches++;
        }
        return batches;
    }

    void pass(Duration duration) {
        time.advanceTimeBy(duration);
    }
}
