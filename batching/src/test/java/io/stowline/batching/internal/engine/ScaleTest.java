package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.engine.TestErrors.BufferFullException;
import io.stowline.batching.internal.writer.Batcher;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

class ScaleTest {

    private static final int RESERVATIONS = Integer.getInteger("stowline.explore", 1) > 1 ? 100_000 : 30_000;

    @ParameterizedTest
    @ValueSource(ints = {300, 1_000})
    @DisplayName("BATCH-14 M13: hundreds of keys do not stall behind a limit on batches in flight")
    void doesNotStall(int keys) {
        Rig rig = new Rig(given -> given.maxBatchesInFlight(8));
        Batcher<String, Item, String> batcher = rig.batcher();
        List<String> results = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            var unused = batcher.write("key" + i % keys, Item.of("e" + i, i)).subscribe(results::add);
        }
        assertThat(rig.lanes.batchesInFlight()).isEqualTo(8);
        rig.finishAll();
        assertThat(results).hasSize(10_000).doesNotHaveDuplicates();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-14 M14: a Flux that writes concurrently to many keys completes")
    void servesAFlux() {
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(),
                        batch -> Mono.just(Sent.allDone(batch)).publishOn(Schedulers.parallel()))
                .maxBatchesInFlight(4)
                .build();
        Batcher<String, Item, String> batcher =
                lanes.batcher(TestSettings.builder().bufferItems(500).build());
        Long count = Flux.range(0, 50_000)
                .flatMap(i -> batcher.write("key" + i % 1_000, Item.of("e" + i, i)), 2_000)
                .count()
                .block(Duration.ofSeconds(60));
        assertThat(count).isEqualTo(50_000);
        batcher.close();
        assertThat(lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-6 MAP-4: a hundred thousand keys one after another leave no lane behind")
    void evictsIdleLanes() {
        AtomicLong sent = new AtomicLong();
        BatchingEngine<Integer, Item, String> lanes = TestEngine.<Integer, Item, String>builder(
                        new Item.Descriptor(), batch -> {
                            sent.addAndGet(batch.items().size());
                            return Mono.just(new BatchReply.PerItem<>(List.of(new ItemReply.ItemDone<>("done"))));
                        })
                .build();
        Batcher<Integer, Item, String> batcher = lanes.batcher(TestSettings.defaults());
        Item item = Item.of("a");
        for (int key = 0; key < 100_000; key++) {
            batcher.submit(key, item);
        }
        assertThat(sent).hasValue(100_000);
        assertThat(lanes.laneCount()).isZero();
        assertThat(batcher.bufferedItems()).isZero();
    }

    private static BatchingEngine<Object, Item, String> holding(VirtualTimeScheduler time, Duration horizon) {
        ItemReply<String> done = new ItemReply.ItemDone<>("done");
        BatchReply<String> held = new BatchReply.PerItem<>(List.of(done)).reservedFor(horizon);
        return TestEngine.<Object, Item, String>builder(new Item.Descriptor(), batch -> Mono.just(held))
                .timer(time)
                .callbacks(TestCallbacks.on(Runnable::run))
                .build();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("BATCH-4 BATCH-6: reservations that end, in one lane or in as many, leave nothing and set few timers")
    void forgetsReservations(boolean oneLane) {
        int keys = oneLane ? 1 : RESERVATIONS;
        VirtualTimeScheduler time = VirtualTimeScheduler.create();
        BatchingEngine<Object, Item, String> lanes = holding(time, Duration.ofSeconds(1));
        Batcher<Object, Item, String> batcher = lanes.batcher(TestSettings.defaults());
        long max = 0;
        for (int i = 0; i < RESERVATIONS; i++) {
            batcher.submit(i % keys, Item.of("e" + i, i));
            if (i % 1_000 == 0) {
                max = Math.max(max, lanes.reservedEntities());
                time.advanceTimeBy(Duration.ofMillis(100));
            }
        }
        assertThat(max).isBetween(9_000L, 11_000L);
        assertThat(batcher.bufferedItems()).isZero();
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(lanes.reservedEntities()).isZero();
        assertThat(lanes.laneCount()).isZero();
        assertThat(time.getScheduledTaskCount()).isLessThan(RESERVATIONS / 40);
    }

    @Test
    @DisplayName("BATCH-4 BATCH-6: a lane is forgotten when its last reservation has ended")
    void forgetsTheLane() {
        VirtualTimeScheduler time = VirtualTimeScheduler.create();
        BatchingEngine<Object, Item, String> lanes = holding(time, Duration.ofSeconds(1));
        Batcher<Object, Item, String> batcher = lanes.batcher(TestSettings.defaults());
        WeakReference<Object> key = new WeakReference<>(new Object());
        batcher.submit(Objects.requireNonNull(key.get()), Item.of("a"));
        System.gc();
        assertThat(key.get()).isNotNull();
        time.advanceTimeBy(Duration.ofSeconds(1));
        for (int i = 0; i < 100 && key.get() != null; i++) {
            System.gc();
        }
        assertThat(key.get()).isNull();
        assertThat(lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-7 MAP-5: a stalled sender is bounded in batches, items and bytes")
    void isBounded() {
        Rig rig = new Rig(given -> given.maxBatchesInFlight(16));
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(1_000));
        int refused = 0;
        for (int i = 0; i < 10_000; i++) {
            try {
                batcher.offer("key" + i % 100, Item.of("e" + i));
            } catch (BufferFullException full) {
                refused++;
            }
        }
        assertThat(refused).isEqualTo(9_000);
        assertThat(batcher.bufferedItems()).isEqualTo(1_000);
        assertThat(rig.sent).hasSize(16);
    }

    @Test
    @DisplayName("BATCH-4: a deep queue of one entity does not slow the cut of what comes behind it")
    void cutsADeepQueue() {
        CompletableFuture<BatchReply<String>> first = new CompletableFuture<>();
        List<Integer> sizes = new ArrayList<>();
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(), batch -> {
                            sizes.add(batch.items().size());
                            return sizes.size() == 1 ? Mono.fromFuture(first) : Mono.just(Sent.allDone(batch));
                        })
                .callbacks(TestCallbacks.on(Runnable::run))
                .limits(100, 1_000_000, 0)
                .build();
        int depth = 40_000;
        Batcher<String, Item, String> batcher =
                lanes.batcher(TestSettings.builder().bufferItems(1_000_000).build());
        for (int i = 0; i < depth; i++) {
            batcher.submit("k", Item.of("hot", i));
        }
        for (int i = 0; i < depth; i++) {
            batcher.submit("k", Item.of("e" + i, i));
        }
        first.complete(new BatchReply.PerItem<>(List.of(new ItemReply.ItemDone<>("done"))));
        assertThat(sizes).hasSize(depth);
        assertThat(sizes.stream().limit(400).skip(1)).allMatch(size -> size == 100);
        assertThat(batcher.bufferedItems()).isZero();
    }

    @Test
    @DisplayName("a batch that ends reads the clock as often as a single item that ends")
    void readsTheClockOnceForABatch() {
        CountingClock clock = new CountingClock();
        Rig rig = new Rig(given -> given.timer(clock));
        Batcher<String, Item, String> batcher = rig.batcher();
        batcher.submit("k", Item.of("first", 0));
        for (int i = 0; i < Rig.LIMITS.maxItems(); i++) {
            batcher.submit("k", Item.of("e" + i, i));
        }
        long ofOne = clock.reads(() -> rig.next().done());
        long ofAll = clock.reads(() -> rig.next().done());

        assertThat(rig.sent.get(0).ids()).hasSize(1);
        assertThat(rig.sent.get(1).ids()).hasSize(Rig.LIMITS.maxItems());
        assertThat(ofAll).isPositive().isLessThanOrEqualTo(ofOne);
    }

    /** A clock that counts how often it is read; nothing fires. */
    private static final class CountingClock implements Scheduler {

        private long reads;

        long reads(Runnable work) {
            long before = reads;
            work.run();
            return reads - before;
        }

        @Override
        public long now(TimeUnit unit) {
            return unit.convert(Duration.ofSeconds(1_000 + ++reads));
        }

        @Override
        public Disposable schedule(Runnable task) {
            return Disposables.disposed();
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            return Disposables.single();
        }

        @Override
        public Worker createWorker() {
            throw new UnsupportedOperationException("a worker");
        }
    }
}
