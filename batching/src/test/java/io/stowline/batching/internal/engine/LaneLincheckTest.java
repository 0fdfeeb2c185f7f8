package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.Admission;
import io.stowline.batching.internal.engine.TestErrors.BufferFullException;
import io.stowline.batching.internal.engine.TestErrors.ClosedException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Param;
import org.jetbrains.kotlinx.lincheck.annotations.Validate;
import org.jetbrains.kotlinx.lincheck.paramgen.IntGen;
import org.jetbrains.kotlinx.lincheck.paramgen.ThreadIdGen;
import org.jetbrains.kotlinx.lincheck.strategy.stress.StressOptions;
import org.jetbrains.kotlinx.lincheck.verifier.EpsilonVerifier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Submits, cancels, replies, flushes and closes in every order that is tried: each item has one result, all ends. */
@Param(name = "thread", gen = ThreadIdGen.class)
@Param(name = "entity", gen = IntGen.class, conf = "1:2")
@EnabledForJreRange(max = JRE.JAVA_22, disabledReason = "Lincheck 2.39 reads no newer class files")
@SuppressWarnings({"exports", "missing-explicit-ctor"}) // Lincheck wants a public class, and the module exports no test
public class LaneLincheckTest {

    private final ConcurrentLinkedQueue<Runnable> sent = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Consumer<Disposable>> line = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Result> results = new ConcurrentLinkedQueue<>();
    private final AtomicInteger permits = new AtomicInteger();
    private final BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                    new Item.Descriptor(),
                    batch -> Mono.create(sink -> sent.add(() -> sink.success(Sent.allDone(batch)))))
            .limits(2, 1_000, 100)
            .admission(this::request)
            .callbacks(TestCallbacks.on(Runnable::run))
            .timer(new NoTimer())
            .build();
    private final EngineBatcher<String, Item, String> batcher = (EngineBatcher<String, Item, String>)
            lanes.batcher(TestSettings.builder().bufferItems(3).build());
    private final AtomicReferenceArray<EngineSubmission<String>> last = new AtomicReferenceArray<>(8);

    @Operation
    public void submit(@Param(name = "thread") int thread, @Param(name = "entity") int entity) {
        try {
            EngineSubmission<String> submission = batcher.offer("k", Item.of("e" + entity));
            last.set(thread, submission);
            submission.whenComplete(expectResult());
        } catch (BufferFullException | ClosedException refused) {
            last.set(thread, null);
        }
    }

    /** Waits in the line where there is no room. */
    @Operation
    public void enlist(@Param(name = "thread") int thread, @Param(name = "entity") int entity) {
        Result result = expectResult();
        try {
            last.set(thread, batcher.enlist("k", Item.of("e" + entity), result, null));
        } catch (ClosedException refused) {
            result.accept(null, refused);
        }
    }

    @Operation
    public void cancel(@Param(name = "thread") int thread) {
        EngineSubmission<String> submission = last.get(thread);
        if (submission != null) {
            submission.cancel();
        }
    }

    @Operation
    public void grant() {
        grantNext();
    }

    @Operation
    public void response() {
        Runnable response = sent.poll();
        if (response != null) {
            response.run();
        }
    }

    @Operation
    public void flush() {
        Result result = expectResult();
        var unused = batcher.flush().subscribe(report -> result.accept("flushed", null));
    }

    @Operation
    public void close() {
        Result result = expectResult();
        var unused = batcher.closeAsync()
                .subscribe(nothing -> {}, failed -> result.accept(null, failed), () -> result.accept("closed", null));
    }

    @Validate
    public void allHasEnded() {
        while (!line.isEmpty() || !sent.isEmpty()) {
            grantNext();
            response();
        }
        check(
                results.stream().allMatch(result -> result.reported.get() == 1),
                "results per item, flush and close: " + reported());
        check(batcher.bufferedItems() == 0, batcher.bufferedItems() + " items are left");
        check(batcher.bufferedBytes() == 0, batcher.bufferedBytes() + " bytes are left");
        check(lanes.laneCount() == 0, lanes.laneCount() + " lanes are left");
        check(permits.get() == 0, permits + " permits are out");
        check(lanes.callbackFailures() == 0, "a callback threw");
    }

    private Admission.Waiting request(Consumer<Disposable> granted) {
        line.add(granted);
        return () -> line.remove(granted);
    }

    private void grantNext() {
        Consumer<Disposable> granted = line.poll();
        if (granted != null) {
            permits.incrementAndGet();
            granted.accept(permits::decrementAndGet);
        }
    }

    private Result expectResult() {
        Result result = new Result();
        results.add(result);
        return result;
    }

    private List<Integer> reported() {
        return results.stream().map(result -> result.reported.get()).toList();
    }

    private static void check(boolean holds, String broken) {
        if (!holds) {
            throw new IllegalStateException(broken);
        }
    }

    /** Counts how often the end of something was signalled. */
    private static final class Result implements BiConsumer<Object, Throwable> {

        private final AtomicInteger reported = new AtomicInteger();

        @Override
        public void accept(@Nullable Object value, @Nullable Throwable error) {
            reported.incrementAndGet();
        }
    }

    /** A timer on which no time is ever due. */
    private static final class NoTimer implements Scheduler {

        @Override
        public Disposable schedule(Runnable task) {
            return Disposables.disposed();
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            return Disposables.disposed();
        }

        @Override
        public Worker createWorker() {
            throw new UnsupportedOperationException("no workers");
        }
    }

    @Test
    @DisplayName(
            "BATCH-1 BATCH-8 BATCH-9 BATCH-10 PERMIT-4: in every order that was tried each item has one result, and"
                    + " all ends")
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
}
