package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.batching.internal.batch.BatchProtocolException;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.callback.TaggedItem;
import io.stowline.batching.internal.callback.TaggedResult;
import io.stowline.batching.internal.callback.WriteFlux;
import io.stowline.batching.internal.engine.TestErrors.BufferFullException;
import io.stowline.batching.internal.engine.TestErrors.LeftoverException;
import io.stowline.batching.internal.engine.TestErrors.UncollectedFailuresException;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.FlushCounts;
import io.stowline.batching.internal.writer.PendingItem;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The measured failures of other batchers, with the numbers of those measurements; docs/internals/peer-failures.md has
 * the table.
 */
@Timeout(120)
class PeerFailuresTest {

    /** The items that a thread submits; the measurement had 100,000. */
    private static final int ITEMS = Integer.getInteger("stowline.explore", 1) > 1 ? 100_000 : 10_000;

    private static final BatchLimits TEN = new BatchLimits(10, 10_000, 100);

    private final Rig rig = new Rig(given -> TEN.on(given));
    private final Batcher<String, Item, String> lingering = rig.batcher(given -> given.linger(Duration.ofMillis(200)));

    @Test
    @DisplayName("M1: an entry missing in the response fails its item, and the other nine have their results")
    void anEntryIsMissing() {
        List<PendingItem<String>> ten = submit(10, i -> "k");
        Sent batch = rig.next();
        batch.parts(batch.batch.items().stream()
                .limit(9)
                .<ItemReply<String>>map(item -> new ItemReply.ItemDone<>(Sent.result(item)))
                .toList());
        assertThat(ten).allMatch(PendingItem::isDone);
        assertThat(ten.subList(0, 9)).allSatisfy(one -> assertThat(one.await()).startsWith("done"));
        assertThatThrownBy(ten.get(9)::await).isInstanceOf(BatchProtocolException.class);
    }

    @Test
    @DisplayName("M2: a client that throws within the timed send fails that item, and the next one is sent in its time")
    void theClientThrowsOnTheTimer() {
        IllegalStateException bad = new IllegalStateException("bad");
        AtomicInteger calls = new AtomicInteger();
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(), batch -> {
                            calls.incrementAndGet();
                            throw bad;
                        })
                .timer(rig.time)
                .callbacks(TestCallbacks.on(Runnable::run))
                .build();
        Batcher<String, Item, String> writer = lanes.batcher(lingering.settings());
        for (int call = 1; call <= 3; call++) {
            PendingItem<String> one = writer.submit("k", Item.of("a"));
            rig.pass(Duration.ofMillis(200));
            assertThatThrownBy(one::await).isSameAs(bad);
            assertThat(calls).hasValue(call);
        }
    }

    @Test
    @DisplayName("M3: an item that is cancelled before its batch is cut is never sent")
    void aCancelledItem() {
        List<PendingItem<String>> three = submit(3, i -> "k");
        assertThat(three.get(1).cancel()).isTrue();
        rig.pass(Duration.ofMillis(200));
        assertThat(rig.next().ids()).containsExactly(0, 2);
    }

    @Test
    @DisplayName("M4: 10,050 keys at once are all served, and idle ones are forgotten")
    void manyKeys() throws InterruptedException {
        Batcher<String, Item, String> large = rig.batcher(given -> given.bufferItems(20_000));
        List<PendingItem<String>> all = new ArrayList<>();
        for (int i = 0; i < 10_050; i++) {
            all.add(large.offer("key" + i, Item.of("e", i)));
        }
        rig.finishAll();
        assertThat(all).allMatch(PendingItem::isDone);
        assertThat(rig.lanes.laneCount()).isZero();
        PendingItem<String> another = large.offer("one more", Item.of("e"));
        rig.next().done();
        assertThat(another.await()).isEqualTo("done e 0");
    }

    @Test
    @DisplayName("M5: 100,000 adds against a stalled service stay bounded in items, bytes and batches")
    void aStalledService() {
        Rig stalled = new Rig(given -> TEN.on(given).maxBatchesInFlight(16));
        Batcher<String, Item, String> writer = stalled.batcher();
        int refused = 0;
        for (int i = 0; i < 100_000; i++) {
            try {
                writer.offer("key" + i % 1_000, Item.of("e" + i));
            } catch (BufferFullException full) {
                refused++;
            }
        }
        assertThat(refused).isEqualTo(90_000);
        assertThat(writer.bufferedItems()).isEqualTo(10_000);
        assertThat(writer.bufferedBytes()).isEqualTo(100_000);
        assertThat(stalled.sent).hasSize(16);
    }

    @Test
    @DisplayName("M6: 16 threads that submit 500 items of 60 KB each never make a batch beyond 256 KiB")
    void manyThreadsAndAByteLimit() throws Exception {
        BatchLimits limits = new BatchLimits(10, 256 << 10, 100);
        ConcurrentLinkedQueue<Integer> sizes = new ConcurrentLinkedQueue<>();
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(), batch -> {
                            int bytes =
                                    batch.items().stream().mapToInt(Item::size).sum();
                            sizes.add(limits.envelopeBytes() + bytes);
                            return Mono.just(Sent.allDone(batch)).publishOn(Schedulers.parallel());
                        })
                .limits(limits.maxItems(), limits.maxBytes(), limits.envelopeBytes())
                .build();
        Batcher<String, Item, String> writer = lanes.batcher(TestSettings.defaults());
        inThreads(16, thread -> () -> {
            for (int i = 0; i < 500; i++) {
                writer.submit("k", new Item(thread + " " + i, 60_000, i));
            }
            return null;
        });
        assertThat(writer.flush().block()).isEqualTo(new FlushCounts(8_000, 0));
        assertThat(sizes).allMatch(size -> size <= limits.maxBytes()).anyMatch(size -> size > 4 * 60_000);
    }

    @Test
    @DisplayName("M7: an entry that the response leaves unset fails its item, and flush returns")
    void anUnsetEntry() {
        List<PendingItem<String>> three = submit(3, i -> "k");
        List<FlushCounts> reports = new ArrayList<>();
        var unused = lingering.flush().subscribe(reports::add);
        List<ItemReply<String>> parts = new ArrayList<>();
        parts.add(new ItemReply.ItemDone<>("here"));
        parts.add(null);
        parts.add(new ItemReply.ItemDone<>("here"));
        rig.next().parts(parts);
        assertThat(reports).containsExactly(new FlushCounts(2, 1));
        assertThatThrownBy(three.get(1)::await).isInstanceOf(BatchProtocolException.class);
    }

    @Test
    @DisplayName("M8: a flush that an item's callback waits for returns, on the only callback thread")
    void aFlushInACallback() throws InterruptedException {
        ExecutorService only = Executors.newSingleThreadExecutor();
        AtomicReference<FlushCounts> report = new AtomicReference<>();
        CountDownLatch over = new CountDownLatch(1);
        try {
            BatchingEngine<String, Item, String> lanes =
                    atOnce().callbacks(TestCallbacks.on(only)).build();
            Batcher<String, Item, String> writer = lanes.batcher(TestSettings.defaults());
            writer.submit("a", Item.of("a")).whenComplete((value, error) -> {
                report.set(writer.flush().block());
                over.countDown();
            });
            assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(report.get()).isEqualTo(new FlushCounts(1, 0));
        } finally {
            only.shutdownNow();
        }
    }

    @Test
    @DisplayName("M9: when every call fails flush counts the failures, and close throws them")
    void everyCallFails() {
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(), batch -> Mono.error(new IOException("unreachable")))
                .callbacks(TestCallbacks.on(Runnable::run))
                .build();
        Batcher<String, Item, String> writer = lanes.batcher(TestSettings.defaults());
        writer.submit("k", Item.of("a"));
        assertThat(writer.flush().block()).isEqualTo(new FlushCounts(0, 1));
        assertThat(writer.bufferedItems()).isZero();
        assertThatThrownBy(writer::close)
                .isInstanceOfSatisfying(UncollectedFailuresException.class, failures -> assertThat(failures.kinds())
                        .containsOnlyKeys(IOException.class)
                        .containsEntry(IOException.class, 1L))
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    @DisplayName("M10: a close with the endpoint down ends, after one call for each batch, and tells what failed")
    void closeWithTheEndpointDown() {
        AtomicInteger calls = new AtomicInteger();
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(),
                        batch -> Mono.error(() -> new IOException("down " + calls.incrementAndGet())))
                .limits(TEN.maxItems(), TEN.maxBytes(), TEN.envelopeBytes())
                .build();
        Batcher<String, Item, String> writer =
                lanes.batcher(TestSettings.builder().linger(Duration.ofDays(1)).build());
        for (int i = 0; i < 9; i++) {
            writer.submit("k", Item.of("e" + i));
        }
        assertThatThrownBy(writer::close)
                .isInstanceOfSatisfying(UncollectedFailuresException.class, failures -> assertThat(failures.count())
                        .isEqualTo(9));
        assertThat(calls).hasValue(1);
    }

    @Test
    @DisplayName("M10: a close with an endpoint that never answers ends at its deadline, with the items inside")
    void closeWithAnEndpointThatNeverResponds() {
        submit(25, i -> "k");
        List<Throwable> ends = new ArrayList<>();
        var unused = lingering.closeAsync().subscribe(nothing -> {}, ends::add);
        rig.pass(lingering.settings().closeTimeout().minusNanos(1));
        assertThat(ends).isEmpty();
        rig.pass(Duration.ofNanos(1));
        assertThat(ends).singleElement().isInstanceOfSatisfying(UncollectedFailuresException.class, failures -> {
            assertThat(failures.count()).isEqualTo(25);
            assertThat(failures.kinds()).containsOnlyKeys(LeftoverException.class);
        });
        assertThat(rig.sent).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 300, 1_000})
    @DisplayName("M13: 256, 300 and 1,000 partitions in one stream do not stall")
    void manyPartitionsInOneStream(int partitions) {
        Batcher<String, Item, String> writer = atOnce().maxBatchesInFlight(8)
                .build()
                .batcher(TestSettings.builder().linger(Duration.ofMillis(5)).build());
        Long count = WriteFlux.writeAll(
                        writer,
                        Flux.range(0, 20_000).map(i -> TaggedItem.of("key" + i % partitions, Item.of("e" + i, i), i)))
                .doOnNext(TaggedResult::value)
                .count()
                .block(Duration.ofSeconds(60));
        assertThat(count).isEqualTo(20_000);
    }

    @Test
    @DisplayName("M14: of the items that 8 threads submit at once, up to 100,000 each, none is rejected")
    void manyThreads() throws Exception {
        BatchingEngine<String, Item, String> lanes = atOnce().build();
        Batcher<String, Item, String> writer = lanes.batcher(TestSettings.defaults());
        inThreads(8, thread -> () -> {
            Item item = Item.of("thread " + thread);
            for (int i = 0; i < ITEMS; i++) {
                writer.submit("k", item);
            }
            return null;
        });
        assertThat(writer.flush().block(Duration.ofSeconds(60))).isEqualTo(new FlushCounts(8 * ITEMS, 0));
    }

    @Test
    @DisplayName("M16: 1,101 callbacks, of which one blocks: all others are called meanwhile")
    void oneCallbackBlocks() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch others = new CountDownLatch(1_100);
        AtomicInteger first = new AtomicInteger();
        BatchingEngine<String, Item, String> lanes = atOnce().build();
        callBack(lanes, 1_101, () -> {
            if (first.getAndIncrement() == 0) {
                await(release);
            } else {
                others.countDown();
            }
        });
        assertThat(others.await(30, TimeUnit.SECONDS)).isTrue();
        release.countDown();
        assertThat(lanes.callbackFailures()).isZero();
    }

    @Test
    @DisplayName("M16: on an executor that rejects task 1,101 no callback is lost")
    void theExecutorRejects() throws InterruptedException {
        ExecutorService rejecting =
                new ThreadPoolExecutor(0, 100, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(1_000));
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch called = new CountDownLatch(1_101);
        try {
            BatchingEngine<String, Item, String> lanes =
                    atOnce().callbacks(TestCallbacks.on(rejecting)).build();
            callBack(lanes, 1_101, () -> {
                await(release);
                called.countDown();
            });
            assertThat(lanes.callbackFailures()).isEqualTo(1);
            release.countDown();
            assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            rejecting.shutdownNow();
        }
    }

    private List<PendingItem<String>> submit(int count, IntFunction<String> key) {
        List<PendingItem<String>> submissions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            submissions.add(lingering.submit(key.apply(i), Item.of("e" + i, i)));
        }
        return submissions;
    }

    private static BatchingEngine.Builder<String, Item, String> atOnce() {
        return TestEngine.<String, Item, String>builder(new Item.Descriptor(), batch -> Mono.just(Sent.allDone(batch)));
    }

    private static void callBack(BatchingEngine<String, Item, String> lanes, int count, Runnable callback) {
        Batcher<String, Item, String> writer = lanes.batcher(TestSettings.defaults());
        for (int i = 0; i < count; i++) {
            writer.submit("k", Item.of("e" + i)).whenComplete((value, error) -> callback.run());
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new CompletionException(interrupted);
        }
    }

    private static void inThreads(int count, IntFunction<Callable<Void>> work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Future<Void>> running = new ArrayList<>();
            for (int thread = 0; thread < count; thread++) {
                running.add(threads.submit(work.apply(thread)));
            }
            for (Future<Void> one : running) {
                one.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
