package io.stowline.table.internal.transfer;

import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/** The threads of one transfer, which end with it: an interrupt of its caller interrupts them. */
final class TransferThreads implements AutoCloseable {

    private final ExecutorService threads;
    private final CompletableFuture<Void> failed = new CompletableFuture<>();

    /**
     * Makes threads that begin with their first work.
     *
     * @param name names them
     * @param max how many there are at the most
     */
    TransferThreads(String name, int max) {
        AtomicInteger number = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(max, work -> {
            Thread thread = new Thread(work, "stowline-" + name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Begins work on one of the threads. */
    <R> CompletableFuture<R> begin(Callable<R> work) {
        CompletableFuture<R> result = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                result.complete(work.call());
            } catch (IOException e) {
                fail(result, new UncheckedIOException(e));
            } catch (Throwable e) {
                fail(result, e);
            }
        });
        return result;
    }

    private void fail(CompletableFuture<?> result, Throwable failure) {
        result.completeExceptionally(failure);
        failed.completeExceptionally(failure);
    }

    /** Waits for all works, or for the first failure of one. */
    void awaitAll(List<? extends CompletableFuture<?>> works) {
        CompletableFuture<Void> all = CompletableFuture.allOf(works.toArray(CompletableFuture[]::new));
        await(CompletableFuture.anyOf(all, failed));
    }

    /** Waits for work, and throws its failure. One that ends behind an interrupt of the waiting thread is not of interest. */
    static <R> @Nullable R await(CompletableFuture<R> work) {
        WorkEnd<R> end = BlockingAwait.result(Mono.fromFuture(work.<WorkEnd<R>>handle(WorkEnd::new), true));
        Throwable failure = end.failure instanceof CompletionException wrapped ? wrapped.getCause() : end.failure;
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw Exceptions.propagate(failure);
        }
        return end.result;
    }

    /** The end of work: its result, or its failure. */
    private record WorkEnd<R>(@Nullable R result, @Nullable Throwable failure) {}

    /** Interrupts what runs, and waits until it has ended: nothing of a transfer goes on after its end. */
    @Override
    public void close() {
        threads.shutdownNow();
        boolean interrupted = false;
        while (true) {
            try {
                if (threads.awaitTermination(1, TimeUnit.MINUTES)) {
                    break;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
