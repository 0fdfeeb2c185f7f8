package io.stowline.examples.ring;

import io.stowline.error.StorageException;
import io.stowline.ring.PartitionMovingException;
import io.stowline.ring.RingTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads that write orders of random tenants until they are stopped, and note each order that was accepted. They stand for the processes of an
 * application. A write that fails is repeated with the same keys and amount, so that it does no harm if the first one was carried out.
 */
final class OrderWriters implements AutoCloseable {

    /** One of four writes changes an order. */
    private static final int CHANGES = 4;

    private final int tenants;
    private final Map<String, TenantOrder> accepted = new ConcurrentHashMap<>();
    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong repeated = new AtomicLong();
    private final AtomicLong longestNanos = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private volatile RingTable<TenantOrder> table;
    private volatile boolean stopped;

    OrderWriters(int number, int tenants, RingTable<TenantOrder> table) {
        this.tenants = tenants;
        this.table = table;
        for (int i = 0; i < number; i++) {
            int writer = i;
            Thread thread = new Thread(() -> write(writer), "orders-" + i);
            threads.add(thread);
            thread.start();
        }
    }

    /** Gives the writers another ring, as the roll-out of a configuration does. A write in flight ends with the ring it began with. */
    void use(RingTable<TenantOrder> table) {
        this.table = table;
    }

    private void write(int writer) {
        Random random = new Random(writer);
        List<TenantOrder> own = new ArrayList<>();
        while (!stopped) {
            TenantOrder order = own.isEmpty() || random.nextInt(CHANGES) > 0
                    ? new TenantOrder(
                            "tenant-" + random.nextInt(tenants), writer + "-" + own.size(), random.nextInt(1_000))
                    : own.get(random.nextInt(own.size()));
            if (accepted.containsKey(order.key())) {
                order = new TenantOrder(order.tenant(), order.number(), random.nextInt(1_000));
            } else {
                own.add(order);
            }
            insert(order);
        }
    }

    private void insert(TenantOrder order) {
        long begin = System.nanoTime();
        while (true) {
            try {
                table.insertOrReplace(order);
                break;
            } catch (StorageException | PartitionMovingException e) {
                repeated.incrementAndGet();
            }
        }
        accepted.put(order.key(), order);
        writes.incrementAndGet();
        longestNanos.accumulateAndGet(System.nanoTime() - begin, Math::max);
    }

    /** Returns how many writes were accepted so far. */
    long writes() {
        return writes.get();
    }

    /** Returns how many attempts failed and were repeated. */
    long repeated() {
        return repeated.get();
    }

    /** Returns the time that the longest write took. */
    long longestMillis() {
        return TimeUnit.NANOSECONDS.toMillis(longestNanos.get());
    }

    /** Returns the orders as they were accepted last. Complete after {@link #end}. */
    Map<String, TenantOrder> accepted() {
        return accepted;
    }

    @Override
    public void close() {
        end();
    }

    /** Lets each thread end its write. */
    void end() {
        stopped = true;
        for (Thread thread : threads) {
            boolean interrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
