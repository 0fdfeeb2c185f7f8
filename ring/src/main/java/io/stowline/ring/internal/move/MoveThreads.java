package io.stowline.ring.internal.move;

import io.stowline.error.StorageInterruptedException;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The threads of a mover, each of which visits one partition at a time. Not thread-safe. */
final class MoveThreads implements AutoCloseable {

    private final int max;
    private final ExecutorService threads;

    /**
     * Makes threads, which begin with their first visits.
     *
     * @param max how many; with one, the calling thread visits
     */
    MoveThreads(int max) {
        this.max = max;
        AtomicInteger number = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(max, work -> {
            Thread thread = new Thread(work, "stowline-ring-move-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** The end of one visit; without a result it was left out after the failure of another one. */
    private record VisitEnd(String key, @Nullable Boolean moved) {}

    /**
     * Visits all partitions, and returns when no visit is running. After a failure no other visit begins.
     *
     * @param visit visits a partition, and returns whether it was elsewhere
     * @param done gets the results, on the calling thread
     */
    void visit(List<String> keys, Predicate<String> visit, BiConsumer<String, Boolean> done) {
        if (max == 1) {
            keys.forEach(key -> done.accept(key, visit.test(key)));
            return;
        }
        AtomicBoolean failed = new AtomicBoolean();
        CompletionService<VisitEnd> ends = new ExecutorCompletionService<>(threads);
        for (String key : keys) {
            ends.submit(() -> new VisitEnd(key, failed.get() ? null : (Boolean) visit.test(key)));
        }
        Throwable failure = null;
        for (int i = 0; i < keys.size(); i++) {
            try {
                VisitEnd end = ends.take().get();
                if (end.moved != null && failure == null) {
                    done.accept(end.key, end.moved);
                }
            } catch (InterruptedException e) {
                close();
                Thread.currentThread().interrupt();
                throw new StorageInterruptedException(e);
            } catch (ExecutionException e) {
                failure = failure == null ? e.getCause() : failure;
            } catch (RuntimeException e) {
                failure = failure == null ? e : failure;
            }
            failed.set(failure != null);
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** Interrupts the visits that are running, and waits for their ends. */
    @Override
    public void close() {
        threads.shutdownNow();
        boolean interrupted = false;
        boolean ended = false;
        while (!ended) {
            try {
                ended = threads.awaitTermination(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
