package io.stowline.table.internal.writer;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A gate that lets operations into their lanes in the order in which they came, once they are on disk, and none before those of earlier processes.
 * Thread-safe.
 */
final class JournalOrderGate {

    private final Executor work;
    private final Queue<Passage> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final CompletableFuture<Void> opened = new CompletableFuture<>();

    JournalOrderGate(Executor work) {
        this.work = work;
    }

    private record Passage(
            CompletableFuture<QueuedWrite> item, BiConsumer<@Nullable QueuedWrite, @Nullable Throwable> through) {}

    /** Ends when the operations of earlier processes are in their lanes. */
    CompletableFuture<Void> opened() {
        return opened;
    }

    void open() {
        opened.complete(null);
        schedule();
    }

    /**
     * Has something called when it is an operation's turn, without a thread that waits.
     *
     * @param item the operation, once it is on disk
     * @param through gets the operation, or why it is not on disk
     */
    void add(CompletableFuture<QueuedWrite> item, BiConsumer<@Nullable QueuedWrite, @Nullable Throwable> through) {
        waiting.add(new Passage(item, through));
        var unused = item.whenComplete((done, error) -> schedule());
    }

    /** Lets through all whose turn it is; who is on disk and has called this comes after those that came before. */
    void drain() {
        lock.lock();
        try {
            Passage next = waiting.peek();
            while (opened.isDone() && next != null && next.item.isDone()) {
                waiting.poll();
                var unused = next.item.whenComplete(next.through);
                next = waiting.peek();
            }
        } finally {
            lock.unlock();
        }
    }

    private void schedule() {
        if (!scheduled.compareAndSet(false, true)) {
            return;
        }
        try {
            work.execute(() -> {
                scheduled.set(false);
                drain();
            });
        } catch (RejectedExecutionException closed) {
            scheduled.set(false);
            drain();
        }
    }
}
