package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.callback.TaggedItem;
import io.stowline.batching.internal.callback.TaggedResult;
import io.stowline.batching.internal.callback.WriteFlux.WriteRun;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Validate;
import org.jetbrains.kotlinx.lincheck.strategy.stress.StressOptions;
import org.jetbrains.kotlinx.lincheck.verifier.EpsilonVerifier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/** Items, replies, requests and a cancel at once: signals come one by one, none without a request, none is lost. */
@EnabledForJreRange(max = JRE.JAVA_22, disabledReason = "Lincheck 2.39 reads no newer class files")
@SuppressWarnings({"exports", "missing-explicit-ctor"}) // Lincheck wants a public class, and the module exports no test
public class WriteAllLincheckTest {

    private final ConcurrentLinkedQueue<Runnable> sent = new ConcurrentLinkedQueue<>();
    private final EngineBatcher<String, Item, String> batcher =
            (EngineBatcher<String, Item, String>) TestEngine.<String, Item, String>builder(
                            new Item.Descriptor(),
                            batch -> Mono.create(sink -> sent.add(() -> sink.success(Sent.allDone(batch)))))
                    .callbacks(TestCallbacks.on(Runnable::run))
                    .build()
                    .batcher(TestSettings.builder().bufferItems(2).build());
    private final Downstream downstream = new Downstream();
    private final Upstream upstream = new Upstream();
    private final WriteRun<String, Item, Integer, String> run = new WriteRun<>(batcher, downstream, 2);

    private boolean completed;
    private int given;

    public WriteAllLincheckTest() {
        run.onSubscribe(upstream);
    }

    @Operation(nonParallelGroup = "upstream")
    public void next() {
        if (!completed && given < upstream.requested.get()) {
            given++;
            run.onNext(TaggedItem.of("k" + given % 2, Item.of("e" + given), given));
        }
    }

    @Operation(nonParallelGroup = "upstream")
    public void complete() {
        if (!completed) {
            completed = true;
            run.onComplete();
        }
    }

    @Operation
    public void request() {
        downstream.requested.incrementAndGet();
        run.request(1);
    }

    @Operation
    public void response() {
        Runnable response = sent.poll();
        if (response != null) {
            response.run();
        }
    }

    @Operation(runOnce = true)
    public void cancel() {
        downstream.cancelled = true;
        run.cancel();
    }

    @Validate
    public void nothingIsLost() {
        complete();
        while (!sent.isEmpty()) {
            response();
        }
        downstream.requested.addAndGet(given);
        run.request(Math.max(1, given));
        check(downstream.broken == null, downstream.broken);
        check(downstream.cancelled || downstream.results.get() == given, downstream.results + " results of " + given);
        check(downstream.cancelled || downstream.ends.get() == 1, downstream.ends + " ends");
        check(batcher.bufferedItems() == 0, batcher.bufferedItems() + " items are left");
    }

    private static void check(boolean holds, String broken) {
        if (!holds) {
            throw new IllegalStateException(broken);
        }
    }

    @Test
    @DisplayName(
            "BATCH-7 BATCH-10: a stream of items under stress keeps the rules of Reactive Streams, and loses nothing")
    void stressed() {
        LinChecker.check(
                getClass(),
                new StressOptions()
                        .threads(3)
                        .actorsPerThread(4)
                        .iterations(15)
                        .invocationsPerIteration(200)
                        .verifier(EpsilonVerifier.class));
    }

    private static final class Upstream implements Subscription {

        private final AtomicLong requested = new AtomicLong();

        @Override
        public void request(long count) {
            requested.addAndGet(count);
        }

        @Override
        public void cancel() {
            // what comes nevertheless is dropped
        }
    }

    private static final class Downstream implements CoreSubscriber<TaggedResult<Integer, String>> {

        private final AtomicLong requested = new AtomicLong();
        private final AtomicInteger results = new AtomicInteger();
        private final AtomicInteger ends = new AtomicInteger();
        private final AtomicInteger inside = new AtomicInteger();
        private volatile boolean cancelled;
        private volatile String broken;

        @Override
        public void onSubscribe(Subscription subscription) {
            // requests are operations of the test
        }

        @Override
        public void onNext(TaggedResult<Integer, String> result) {
            one(() -> {
                if (results.incrementAndGet() > requested.get() || ends.get() > 0) {
                    broken = "a result without a request, or after the end";
                }
            });
        }

        @Override
        public void onError(Throwable error) {
            broken = "failed with " + error;
        }

        @Override
        public void onComplete() {
            one(ends::incrementAndGet);
        }

        private void one(Runnable signal) {
            if (inside.getAndIncrement() != 0) {
                broken = "two signals at once";
            }
            signal.run();
            inside.decrementAndGet();
        }
    }
}
