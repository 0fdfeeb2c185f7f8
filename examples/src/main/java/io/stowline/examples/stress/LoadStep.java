package io.stowline.examples.stress;

import io.stowline.error.ThrottledException;
import io.stowline.table.Entity;
import io.stowline.table.ReactiveTable;
import io.stowline.table.ReactiveTransaction;
import io.stowline.table.Table;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import reactor.core.publisher.Mono;

/**
 * A step that writes entities at a given rate for a given time. Requests start when they are due, whatever the latency of those before; only when half a
 * second of the load is in flight, and at least 32 requests, the rest is held back. Used by one thread.
 */
final class LoadStep {

    private static final double MAX_SECONDS_IN_FLIGHT = 0.5;
    private static final int MIN_IN_FLIGHT = 32;
    private static final Duration PAUSE = Duration.ofMillis(2);
    private static final String TEXT = "x".repeat(900); // about 1 KiB in all, as the targets assume

    private final ReactiveTable<Entity> table;
    private final PermitWatch permits;
    private final int entities;
    private final AtomicLong rows = new AtomicLong();

    LoadStep(Table<Entity> table, PermitWatch permits, int entities) {
        this.table = table.reactive();
        this.permits = permits;
        this.entities = entities;
    }

    /** The counts of the requests in flight. */
    private static final class Counts {
        final Queue<Long> latencies = new ConcurrentLinkedQueue<>();
        final LongAdder accepted = new LongAdder();
        final LongAdder throttled = new LongAdder();
        final LongAdder errors = new LongAdder();
    }

    /** Writes to so many partitions, so many entities in a second. */
    LoadSample run(int partitions, double rate, Duration length) throws InterruptedException {
        Counts counts = new Counts();
        int max = (int) Math.max(MIN_IN_FLIGHT, Math.ceil(rate / entities * MAX_SECONDS_IN_FLIGHT));
        Semaphore room = new Semaphore(max);
        permits.begin();
        long held = 0;
        long due = 0;
        long start = System.nanoTime();
        long elapsed = 0;
        while (elapsed < length.toNanos()) {
            for (; due < elapsed * rate / entities / 1e9; due++) {
                if (room.tryAcquire()) {
                    send(partition((int) (due % partitions)), counts, room);
                } else {
                    held++;
                }
            }
            permits.check();
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            elapsed = System.nanoTime() - start;
        }
        double seconds = elapsed / 1e9;
        long accepted = counts.accepted.sum();
        long throttled = counts.throttled.sum();
        room.acquire(max);
        return new LoadSample(
                partitions,
                rate,
                accepted * entities / seconds,
                throttled * entities / seconds,
                held * entities / seconds,
                counts.errors.sum(),
                percentile(counts.latencies, 0.5),
                percentile(counts.latencies, 0.99),
                permits.range(),
                permits.limitedPartitions());
    }

    /** Returns the latency in ms that a part of all requests, from 0 to 1, does not exceed; 0 if there was no request. */
    static double percentile(Collection<Long> nanos, double part) {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        int rank = (int) Math.ceil(part * sorted.length);
        return sorted.length == 0 ? 0 : sorted[Math.max(0, rank - 1)] / 1e6;
    }

    private void send(String partition, Counts counts, Semaphore room) {
        long start = System.nanoTime();
        write(partition)
                .doFinally(signal -> room.release())
                .subscribe(
                        written -> {
                            counts.latencies.add(System.nanoTime() - start);
                            counts.accepted.increment();
                        },
                        failure ->
                                (failure instanceof ThrottledException ? counts.throttled : counts.errors).increment());
    }

    private Mono<?> write(String partition) {
        if (entities == 1) {
            return table.insertOrReplace(entity(partition));
        }
        ReactiveTransaction<Entity> transaction = table.transaction(partition);
        for (int i = 0; i < entities; i++) {
            transaction = transaction.insertOrReplace(entity(partition));
        }
        return transaction.commit();
    }

    private Entity entity(String partition) {
        String row = String.format(Locale.ROOT, "%012d", rows.incrementAndGet());
        return Entity.builder(partition, row).set("Text", TEXT).build();
    }

    private static String partition(int number) {
        return String.format(Locale.ROOT, "partition%02d", number);
    }
}
