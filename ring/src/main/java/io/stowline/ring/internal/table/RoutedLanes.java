package io.stowline.ring.internal.table;

import io.stowline.error.ClosedException;
import io.stowline.error.TransactionFailedException;
import io.stowline.error.WaitInterruptedException;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.ring.RingTable;
import io.stowline.ring.internal.place.PartitionRoutes;
import io.stowline.table.BufferFullException;
import io.stowline.table.FlushReport;
import io.stowline.table.Submission;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import io.stowline.table.UncollectedFailuresException;
import io.stowline.table.WriterSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a writer for partitions that may move: each has one transaction at a time, which goes by the routes of its partition. The
 * partitions that stay have the lanes of the client below. Thread-safe.
 */
final class RoutedLanes<T> {

    /** Lanes that write at a time: each blocks a thread. */
    private static final int MAX_ACTIVE = 16;

    private static final int MAX_FAILURES = 1_000;
    private static final AtomicInteger THREADS = new AtomicInteger();
    private static final Executor THREADS_ON_DEMAND =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "stowline-ring-writer-" + THREADS.incrementAndGet());
                thread.setDaemon(true);
                return thread;
            });

    private final PartitionRoutes<T> routes;
    private final WriterSettings settings;
    private final Executor callbacks;
    private final Semaphore room;
    private final Map<String, Deque<RoutedWrite<T>>> lanes = new HashMap<>();
    private final Deque<String> ready = new ArrayDeque<>();
    private final Set<RoutedWrite<T>> open = new LinkedHashSet<>();
    private final List<ItemResult<RoutedWrite<T>, WriteResult>> failures = new ArrayList<>();
    private int active;
    private boolean closed;
    private long submitted;
    private long accepted;
    private long succeeded;
    private long failed;
    private long requests;
    private FlushReport reported = new FlushReport(0, 0);

    RoutedLanes(PartitionRoutes<T> routes, WriterSettings settings) {
        this.routes = routes;
        this.settings = settings;
        this.callbacks = Objects.requireNonNullElse(settings.callbacks(), THREADS_ON_DEMAND);
        this.room = new Semaphore(settings.bufferItems());
    }

    Submission<WriteResult> submit(String partitionKey, TableOperation<T, ?> operation) {
        refuseClosed();
        acquireRoom();
        synchronized (this) {
            if (closed) {
                room.release();
            }
            refuseClosed();
            RoutedWrite<T> write = new RoutedWrite<>(
                    operation,
                    ++submitted,
                    ValueKeys.of(operation).rowKey(),
                    given -> remove(partitionKey, given),
                    callbacks);
            accepted++;
            open.add(write);
            lanes.computeIfAbsent(partitionKey, key -> {
                        ready.add(key);
                        return new ArrayDeque<>();
                    })
                    .add(write);
            start();
            return write;
        }
    }

    private synchronized void refuseClosed() {
        if (closed) {
            throw new ClosedException("the writer is closed");
        }
    }

    private void acquireRoom() {
        try {
            if (!room.tryAcquire(settings.submitTimeout().toNanos(), TimeUnit.NANOSECONDS)) {
                throw new BufferFullException("no room for another operation in the buffer of " + settings.bufferItems()
                        + " within " + settings.submitTimeout());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException("interrupted while waiting for room; the operation was not accepted", e);
        }
    }

    private synchronized boolean remove(String partitionKey, RoutedWrite<T> write) {
        Deque<RoutedWrite<T>> lane = lanes.get(partitionKey);
        boolean removed = lane != null && lane.remove(write);
        if (removed) {
            accepted--;
            ended(write);
        }
        return removed;
    }

    private void start() {
        while (active < MAX_ACTIVE && !ready.isEmpty()) {
            String partitionKey = ready.remove();
            active++;
            THREADS_ON_DEMAND.execute(() -> turn(partitionKey));
        }
    }

    private void turn(String partitionKey) {
        try {
            send(partitionKey, next(partitionKey));
        } finally {
            synchronized (this) {
                active--;
                if (Objects.requireNonNull(lanes.get(partitionKey)).isEmpty()) {
                    lanes.remove(partitionKey);
                } else {
                    ready.add(partitionKey);
                }
                start();
            }
        }
    }

    /** Cuts the next transaction: no entity is in it twice. */
    private synchronized List<RoutedWrite<T>> next(String partitionKey) {
        Deque<RoutedWrite<T>> lane = Objects.requireNonNull(lanes.get(partitionKey));
        Set<String> rows = new HashSet<>();
        List<RoutedWrite<T>> batch = new ArrayList<>();
        while (batch.size() < RingTable.MAX_OPERATIONS
                && !lane.isEmpty()
                && rows.add(lane.element().rowKey())) {
            batch.add(lane.remove());
        }
        return batch;
    }

    private void send(String partitionKey, List<RoutedWrite<T>> batch) {
        if (batch.isEmpty()) {
            return;
        }
        try {
            synchronized (this) {
                requests++;
            }
            List<WriteResult> results = routes.write(
                    partitionKey,
                    batch.stream()
                            .<TableOperation<T, ?>>map(RoutedWrite::operation)
                            .toList());
            for (int i = 0; i < batch.size(); i++) {
                end(batch.get(i), results.get(i), null);
            }
        } catch (TransactionFailedException e) {
            List<RoutedWrite<T>> rest = new ArrayList<>(batch);
            end(rest.remove(e.index()), null, Objects.requireNonNullElse(e.getCause(), e));
            send(partitionKey, rest);
        } catch (IllegalArgumentException e) {
            int half = batch.size() / 2;
            if (half == 0) {
                end(batch.get(0), null, e);
            } else {
                send(partitionKey, batch.subList(0, half));
                send(partitionKey, batch.subList(half, batch.size()));
            }
        } catch (RuntimeException | Error e) {
            batch.forEach(write -> end(write, null, e));
        }
    }

    private void end(RoutedWrite<T> write, @Nullable WriteResult result, @Nullable Throwable error) {
        write.end(result, error);
        synchronized (this) {
            if (!open.contains(write)) {
                return;
            }
            if (error == null) {
                succeeded++;
            } else {
                failed++;
                if (failures.size() < MAX_FAILURES) {
                    failures.add(new ItemResult<>(write, null, error));
                }
            }
            ended(write);
        }
        if (error != null && settings.onFailure() != null) {
            callbacks.execute(() -> Objects.requireNonNull(settings.onFailure())
                    .accept(new ItemResult<>(write.operation(), null, error)));
        }
    }

    private void ended(RoutedWrite<T> write) {
        open.remove(write);
        room.release();
        notifyAll();
    }

    /** Waits until everything that was accepted before has its result. */
    synchronized FlushReport flush() {
        long last = submitted;
        try {
            while (!open.isEmpty() && open.iterator().next().number() <= last) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException("interrupted while flushing, which goes on", e);
        }
        FlushReport report = new FlushReport(succeeded - reported.completed(), failed - reported.failed());
        reported = new FlushReport(succeeded, failed);
        return report;
    }

    synchronized void refuse() {
        closed = true;
    }

    /** Refuses new operations, and waits for the others within the close timeout. */
    synchronized void close() {
        closed = true;
        long deadline = System.nanoTime() + settings.closeTimeout().toNanos();
        try {
            for (long left = deadline - System.nanoTime();
                    !open.isEmpty() && left > 0;
                    left = deadline - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            List.copyOf(open)
                    .forEach(write -> end(
                            write,
                            null,
                            new ClosedException("the writer was closed after its closeTimeout, "
                                    + settings.closeTimeout() + "; the operation may have been carried out")));
            lanes.values().forEach(Deque::clear);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException("interrupted while closing, which goes on", e);
        }
        takeFailures().ifPresent(untaken -> {
            throw untaken;
        });
    }

    synchronized Optional<UncollectedFailuresException> takeFailures() {
        List<ItemResult<Object, WriteResult>> untaken = failures.stream()
                .filter(failure -> !failure.item().isTaken())
                .map(failure ->
                        new ItemResult<Object, WriteResult>(failure.item().operation(), null, failure.error()))
                .toList();
        failures.clear();
        Map<Class<?>, Long> kinds = untaken.stream()
                .collect(Collectors.groupingBy(
                        failure -> Objects.requireNonNull(failure.error()).getClass(),
                        LinkedHashMap::new,
                        Collectors.counting()));
        return untaken.isEmpty() ? Optional.empty() : Optional.of(new UncollectedFailuresException(untaken, kinds));
    }

    synchronized TableWriter.Stats stats() {
        return new TableWriter.Stats(succeeded + failed, requests, 0, 0);
    }

    synchronized TableWriter.WriteProgress progress() {
        return new TableWriter.WriteProgress(accepted, succeeded, failed, open.size(), 0);
    }
}
