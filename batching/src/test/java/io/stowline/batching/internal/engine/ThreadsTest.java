package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.batching.internal.engine.TestErrors.ClosedException;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.FlushCounts;
import io.stowline.batching.internal.writer.PendingItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@Timeout(120)
class ThreadsTest {

    private static final int THREADS = 8;
    private static final int ITEMS = 20_000;
    private static final BatchLimits LIMITS = new BatchLimits(100, 10_000, 50);

    private final AtomicInteger violations = new AtomicInteger();
    private final CountDownLatch callbacks = new CountDownLatch(THREADS * ITEMS / 4);
    private final Set<String> busy = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> lastId = new ConcurrentHashMap<>();

    @Test
    @DisplayName("BATCH-1 BATCH-3 BATCH-4 BATCH-6 BATCH-7 M6: many threads, a small buffer, real timers: every promise"
            + " holds")
    void keepsEveryPromise() throws Exception {
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(), this::send)
                .limits(LIMITS.maxItems(), LIMITS.maxBytes(), LIMITS.envelopeBytes())
                .maxBatchesInFlight(5)
                .build();
        TestSettings settings = TestSettings.builder()
                .bufferItems(1_000)
                .linger(Duration.ofMillis(2))
                .build();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (Batcher<String, Item, String> batcher = lanes.batcher(settings)) {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int number = thread;
                running.add(threads.submit(() -> {
                    start.await();
                    submitAll(batcher, number);
                    return null;
                }));
            }
            start.countDown();
            for (Future<?> one : running) {
                one.get(100, TimeUnit.SECONDS);
            }
            FlushCounts report = batcher.flush().block();
            assertThat(report).isNotNull();
            assertThat(report.failed()).isZero();
            assertThat(batcher.bufferedItems()).isZero();
            assertThat(batcher.bufferedBytes()).isZero();
            assertThat(callbacks.await(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            threads.shutdownNow();
        }
        assertThat(violations).hasValue(0);
        assertThat(lanes.laneCount()).isZero();
        assertThat(lanes.batchesInFlight()).isZero();
    }

    private void submitAll(Batcher<String, Item, String> batcher, int thread) {
        for (int id = 0; id < ITEMS; id++) {
            Item item = new Item("thread" + thread + " e" + id % 50, 100 + id % 400, id);
            PendingItem<String> submission = batcher.submit("lane" + id % 20, item);
            if (id % 4 == 0) {
                submission.whenComplete((value, error) -> callbacks.countDown());
            }
            if (id % 1_000 == 0) {
                var unused = batcher.flush().subscribe();
            }
        }
    }

    private Mono<BatchReply<String>> send(DeliveryBatch<String, Item> batch) {
        if (!busy.add(batch.key())) {
            violations.incrementAndGet();
        }
        check(batch);
        return Mono.fromCallable(() -> {
                    busy.remove(batch.key());
                    return Sent.allDone(batch);
                })
                .subscribeOn(Schedulers.parallel());
    }

    private void check(DeliveryBatch<String, Item> batch) {
        int bytes = LIMITS.envelopeBytes();
        Set<String> entities = new HashSet<>();
        for (Item item : batch.items()) {
            bytes += item.size();
            Integer before = lastId.put(batch.key() + " " + item.entity(), item.id());
            if (!entities.add(item.entity()) || (before != null && before >= item.id())) {
                violations.incrementAndGet();
            }
        }
        if (bytes > LIMITS.maxBytes() || batch.items().size() > LIMITS.maxItems()) {
            violations.incrementAndGet();
        }
    }

    @Test
    @DisplayName("BATCH-7: a submit that waits for room goes on when there is some")
    void goesOnWhenThereIsRoom() throws Exception {
        Rig rig = new Rig();
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(1));
        batcher.submit("a", Item.of("a"));
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<PendingItem<String>> waiting = thread.submit(() -> batcher.submit("b", Item.of("b")));
            while (rig.lanes.laneCount() < 2) {
                LockSupport.parkNanos(100_000);
            }
            rig.sent.get(0).done();
            PendingItem<String> second = waiting.get(60, TimeUnit.SECONDS);
            rig.sent.get(1).done();
            assertThat(second.await()).isEqualTo("done b 0");
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    @DisplayName("BATCH-9: a submit that waits for room when the writer closes is refused")
    void refusesAWaitingSubmit() throws Exception {
        Rig rig = new Rig();
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(1));
        batcher.submit("a", Item.of("a"));
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<Boolean> waiting = thread.submit(() -> {
                try {
                    batcher.submit("b", Item.of("b"));
                    return false;
                } catch (ClosedException closed) {
                    return true;
                }
            });
            while (rig.lanes.laneCount() < 2) {
                LockSupport.parkNanos(100_000);
            }
            var unused = batcher.closeAsync().subscribe();
            assertThat(waiting.get(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            thread.shutdownNow();
        }
    }
}
