package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.batching.internal.engine.TestErrors.BufferFullException;
import io.stowline.batching.internal.writer.Batcher;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Items that come at random to partitions of a service that takes some 10 ms for each batch, in virtual time. */
final class Traffic {

    private static final int FULL = 100;
    private static final int BUFFER = 10_000;

    /** The partition of a share of the items, if there is such a share. */
    private static final int HOT = 0;

    private final Random random;
    private final int partitions;
    private final double hotShare;
    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final BatchingEngine<Integer, Item, String> lanes;
    private final Batcher<Integer, Item, String> batcher;
    private final Map<Integer, Integer> queued = new HashMap<>();
    private final Map<Integer, Long> idleSince = new HashMap<>();
    private int ids;
    private long batches;
    private long items;
    private long busyBatches;
    private long busyItems;
    private long busyRoom;
    private long maxIdleWait;
    private long hotItems;
    private long sentHotItems;

    Traffic(long seed, int partitions, int maxInFlight) {
        this(seed, partitions, maxInFlight, 0);
    }

    /** Traffic of which one partition has a share beside its even part. */
    Traffic(long seed, int partitions, int maxInFlight, double hotShare) {
        this.random = new Random(seed);
        this.partitions = partitions;
        this.hotShare = hotShare;
        this.lanes = TestEngine.<Integer, Item, String>builder(new Item.Descriptor(), this::send)
                .limits(FULL, 4 << 20, 0)
                .maxBatchesInFlight(maxInFlight)
                .timer(time)
                .callbacks(TestCallbacks.on(Runnable::run))
                .build();
        this.batcher = lanes.batcher(TestSettings.builder().bufferItems(BUFFER).build());
    }

    /** Has so many items come in each millisecond, as far as there is room. */
    void run(Duration duration, int itemsPerMilli) {
        for (long milli = 0; milli < duration.toMillis(); milli++) {
            for (int i = random.nextInt(2 * itemsPerMilli + 1); i > 0 && batcher.bufferedItems() < BUFFER; i--) {
                come(hotShare > 0 && random.nextDouble() < hotShare ? HOT : random.nextInt(partitions));
            }
            time.advanceTimeBy(Duration.ofMillis(1));
        }
    }

    private void come(int partition) {
        hotItems += partition == HOT ? 1 : 0;
        queued.merge(partition, 1, Integer::sum);
        idleSince.putIfAbsent(partition, now());
        try {
            batcher.offer(partition, new Item("e" + ids, 100, ids++));
        } catch (BufferFullException laneIsFull) {
            queued.merge(partition, -1, Integer::sum);
        }
    }

    private Mono<BatchReply<String>> send(DeliveryBatch<Integer, Item> batch) {
        int waiting = queued.get(batch.key());
        int size = batch.items().size();
        batches++;
        items += size;
        sentHotItems += batch.key() == HOT ? size : 0;
        if (waiting > 1) {
            busyBatches++;
            busyItems += size;
            busyRoom += Math.min(waiting, FULL);
        }
        maxIdleWait = Math.max(maxIdleWait, now() - idleSince.get(batch.key()));
        queued.merge(batch.key(), -size, Integer::sum);
        return Mono.delay(Duration.ofMillis(5 + random.nextInt(11)), time).map(over -> {
            idleSince.put(batch.key(), now());
            if (queued.get(batch.key()) == 0) {
                idleSince.remove(batch.key());
            }
            return Sent.allDone(batch);
        });
    }

    private long now() {
        return time.now(TimeUnit.MILLISECONDS);
    }

    long batches() {
        return batches;
    }

    /** Returns the fill of the batches, of a hundred items each. */
    double fill() {
        return (double) items / (batches * FULL);
    }

    /** Returns the fill of the batches of partitions with items waiting, of the items that wait or fit. */
    double fillOfBusy() {
        return busyBatches == 0 ? 1 : (double) busyItems / busyRoom;
    }

    /** Returns how much of the items of the partition with a share was sent. */
    double sentOfHot() {
        return (double) sentHotItems / hotItems;
    }

    /** Returns the longest wait of an item while no batch of its partition was in flight. */
    long maxIdleWait() {
        return maxIdleWait;
    }
}
