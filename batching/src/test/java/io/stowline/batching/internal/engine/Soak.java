package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.batching.internal.writer.Batcher;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Many items over many partitions, replied to in memory by one other thread, with a check of heap and threads now and
 * then.
 */
final class Soak {

    private static final long SPREAD = 1_000_003;

    private final ExecutorService service = Executors.newSingleThreadExecutor();
    private final AtomicLong succeeded = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong sent = new AtomicLong();
    private final List<Sample> samples = new ArrayList<>();
    private final BatchingEngine<Long, Item, String> lanes;

    /** The lanes with up to a full buffer in flight, then heap and threads with nothing in flight. */
    record Sample(long heapBytes, int threads, int lanes) {}

    Soak() {
        lanes = TestEngine.<Long, Item, String>builder(new Item.Descriptor(), this::send)
                .callbacks(TestCallbacks.on(Runnable::run))
                .build();
    }

    List<Sample> samples() {
        return samples;
    }

    /** Hands in all items, in steps of {@code sampling}, and checks that each has its one result and nothing is left. */
    void run(long items, long partitions, long sampling) throws InterruptedException {
        try (Batcher<Long, Item, String> batcher = lanes.batcher(TestSettings.defaults())) {
            BiConsumer<@Nullable String, @Nullable Throwable> count =
                    (value, error) -> (error == null ? succeeded : failed).incrementAndGet();
            for (long i = 0; i < items; i++) {
                Item item = new Item("e", 10, (int) i);
                batcher.submit(i * SPREAD % partitions, item).whenComplete(count);
                if ((i + 1) % sampling == 0) {
                    samples.add(sample(batcher));
                }
            }
            batcher.flush().block();
            assertThat(batcher.bufferedItems()).isZero();
        } finally {
            service.shutdown();
        }
        assertThat(service.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(sent).hasValue(items);
        assertThat(succeeded).hasValue(items);
        assertThat(failed).hasValue(0);
        assertThat(lanes.laneCount()).isZero();
        assertThat(lanes.batchesInFlight()).isZero();
    }

    private Mono<BatchReply<String>> send(DeliveryBatch<Long, Item> batch) {
        sent.addAndGet(batch.items().size());
        return Mono.create(response -> service.execute(() -> response.success(Sent.allDone(batch))));
    }

    private Sample sample(Batcher<Long, Item, String> batcher) {
        int busyLanes = lanes.laneCount();
        batcher.flush().block();
        System.gc();
        Runtime process = Runtime.getRuntime();
        long heapBytes = process.totalMemory() - process.freeMemory();
        return new Sample(heapBytes, Thread.getAllStackTraces().size(), busyLanes);
    }
}
