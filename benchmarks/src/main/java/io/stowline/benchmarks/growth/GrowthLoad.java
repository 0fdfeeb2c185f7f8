package io.stowline.benchmarks.growth;

import io.stowline.Stowline;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Blobs;
import io.stowline.benchmarks.side.work.Order;
import io.stowline.benchmarks.side.work.Orders;
import io.stowline.benchmarks.side.work.Pump;
import io.stowline.benchmarks.side.work.Repetition;
import io.stowline.benchmarks.side.work.SizedEntities;
import io.stowline.benchmarks.side.work.Task;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.table.Entity;
import io.stowline.table.ReactiveTable;
import io.stowline.table.TableWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The tasks of a curve, one for each size, by one client as an application has it. */
final class GrowthLoad implements AutoCloseable {

    private static final int ROWS = 5_000;
    private static final int TRANSACTIONS = 8;
    private static final int MAX_IN_FLIGHT = 64;
    private static final int TRANSACTION = 100;

    private final Account account;
    private final GrowthCurve curve;
    private final Stowline storage;
    private final List<Runnable> open = new ArrayList<>();

    GrowthLoad(Account account, GrowthCurve curve) {
        this.account = account;
        this.curve = curve;
        this.storage = account.stowline(inFlight(curve)).build();
    }

    private static int inFlight(GrowthCurve curve) {
        return switch (curve.growth()) {
            case PARTITIONS, ENTITY_SIZE -> TRANSACTIONS;
            case IN_FLIGHT, LISTING, BUSY_QUEUES, IDLE_QUEUES -> MAX_IN_FLIGHT;
        };
    }

    /** Returns the tasks of these sizes in their order. */
    Map<Integer, Task> tasks(List<Integer> sizes) {
        Map<Integer, Task> tasks = new LinkedHashMap<>();
        QueueLoad queues = new QueueLoad(storage, account);
        open.add(queues::close);
        for (int size : sizes) {
            tasks.put(
                    size,
                    switch (curve) {
                        case PARTITIONS_IN_TURN -> writes(size, 1);
                        case PARTITIONS_IN_RUNS -> writes(size, TRANSACTION);
                        case READS -> reads(size);
                        case ENTITY_UPSERTS -> upserts(size);
                        case ENTITY_READS -> entities(size);
                        case BLOBS -> listing(size);
                        case BUSY_QUEUES -> queues.busy(size);
                        case IDLE_QUEUES -> queues.idle(size);
                    });
        }
        return tasks;
    }

    /** Hands over entity after entity on one thread, so many in a row of a partition. */
    private Task writes(int partitions, int row) {
        TableWriter<Order> writer = storage.table(Account.WRITTEN, Order.class).writer();
        open.add(writer::close);
        List<String> keys = IntStream.range(0, partitions)
                .mapToObj(i -> "shop-" + (1_000 + i))
                .toList();
        return new Task() {
            private long written;

            @Override
            public Done run(long nanos) {
                long from = written;
                long end = System.nanoTime() + nanos;
                do {
                    writer.insertOrReplace(Orders.order(keys.get((int) (written / row % partitions)), written));
                } while (++written % 16 != 0 || System.nanoTime() < end);
                if (writer.flush().failed() > 0) {
                    throw new IllegalStateException("upserts failed");
                }
                return Done.of(written - from);
            }
        };
    }

    private Task reads(int inFlight) {
        ReactiveTable<Order> table = storage.table(Account.READ, Order.class).reactive();
        return new Pump(inFlight, 1, n -> table.find(Orders.partition(n % ROWS), Orders.row(n % ROWS)));
    }

    private Task upserts(int kib) {
        ReactiveTable<Entity> table = storage.table(Account.SIZED, Entity.class).reactive();
        Map<String, String> texts = SizedEntities.texts(kib);
        return new Pump(TRANSACTIONS, kib, n -> {
            Entity.Builder entity = Entity.builder(SizedEntities.PARTITION, Integer.toString(kib));
            texts.forEach(entity::set);
            return table.insertOrReplace(entity.build());
        });
    }

    private Task entities(int kib) {
        ReactiveTable<Entity> table = storage.table(Account.SIZED, Entity.class).reactive();
        return new Pump(TRANSACTIONS, kib, n -> table.find(SizedEntities.PARTITION, Integer.toString(kib)));
    }

    private Task listing(int blobs) {
        BlobContainer container = storage.container(Blobs.CONTAINER);
        String prefix = Blobs.folder(blobs, false);
        return new Repetition(() -> {
            try (Stream<BlobInfo> listed = container.stream(prefix)) {
                return listed.filter(blob -> blob.size() > 0).count();
            }
        });
    }

    @Override
    public void close() {
        open.forEach(Runnable::run);
        storage.close();
    }
}
