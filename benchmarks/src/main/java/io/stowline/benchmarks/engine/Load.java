package io.stowline.benchmarks.engine;

import io.stowline.batching.internal.batch.BatchDescriptor;
import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.batching.internal.engine.BatchingEngine;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import io.stowline.table.WriterSettings;
import io.stowline.table.internal.operation.LaneSettings;
import io.stowline.table.internal.writer.LaneCallbacks;
import io.stowline.table.internal.writer.WriterErrors;
import io.stowline.transport.internal.concurrent.Callbacks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * An engine over partitions with about {@code queued} waiting items each. The submitting threads keep that number: they
 * reply to the oldest batches. With none waiting, each batch gets its reply as soon as it is sent. The items are made
 * before. Safe for use by many threads.
 */
final class Load {

    private static final int PARTITIONS = 10_000;
    private static final int ITEM_BYTES = 1_000;
    private static final int ENTITIES = 1 << 10;

    /** The submits of a thread between two checks of the waiting items. */
    private static final int STRIDE = 1_000;

    private final long backlog;
    private final Integer[] keys = new Integer[PARTITIONS];
    private final String[] items = new String[ENTITIES];
    private final List<BatchReply<String>> replies = new ArrayList<>();
    private final ConcurrentLinkedQueue<Open> open = new ConcurrentLinkedQueue<>();
    private final AtomicLong waiting = new AtomicLong();
    private final Batcher<Integer, String, String> batcher;

    /** A batch that waits for its reply. */
    private record Open(int items, MonoSink<BatchReply<String>> response) {}

    /** A descriptor that knows an item by itself. */
    private static final class Named implements BatchDescriptor<String> {

        @Override
        public Object entity(String item) {
            return item;
        }

        @Override
        public int size(String item) {
            return ITEM_BYTES;
        }
    }

    Load(int queued) {
        this.backlog = (long) queued * PARTITIONS;
        for (int i = 0; i < PARTITIONS; i++) {
            keys[i] = i;
        }
        for (int i = 0; i < ENTITIES; i++) {
            items[i] = "row-" + i;
        }
        int maxItems = 100;
        for (int size = 0; size <= maxItems; size++) {
            replies.add(new BatchReply.PerItem<>(Collections.nCopies(size, new ItemReply.ItemDone<>("done"))));
        }
        BatchingEngine<Integer, String, String> lanes = BatchingEngine.<Integer, String, String>builder(
                        new Named(), this::send)
                .limits(maxItems, 4 << 20, 1_000)
                .callbacks(new LaneCallbacks(Callbacks.on(Runnable::run)))
                .errors(new WriterErrors())
                .build();
        batcher = lanes.batcher(new LaneSettings(WriterSettings.builder()
                .bufferItems(10_000_000)
                .bufferBytes(1L << 40)
                .build()));
    }

    /** Hands the {@code n}-th item of a thread to the engine; items of different threads are never of one entity. */
    PendingItem<String> submit(int thread, long n) {
        if (n % STRIDE == 0) {
            waiting.addAndGet(STRIDE);
            response(backlog);
        }
        int entity = (int) (n / PARTITIONS * 2 + thread) & (ENTITIES - 1);
        return batcher.submit(keys[(int) (n % PARTITIONS)], items[entity]);
    }

    /** Ends the engine with nothing left in it. */
    void close() {
        Mono<Void> end = batcher.closeAsync().cache();
        var unused = end.subscribe();
        while (batcher.bufferedItems() > 0) {
            response(Long.MIN_VALUE);
        }
        end.block(Duration.ofMinutes(1));
    }

    private Mono<BatchReply<String>> send(DeliveryBatch<Integer, String> batch) {
        int size = batch.items().size();
        if (backlog == 0) {
            return Mono.just(replies.get(size));
        }
        return Mono.create(response -> open.add(new Open(size, response)));
    }

    private void response(long max) {
        while (waiting.get() > max) {
            Open next = open.poll();
            if (next == null) {
                return;
            }
            waiting.addAndGet(-next.items());
            next.response().success(replies.get(next.items()));
        }
    }
}
