package io.stowline.table.internal.writer;

import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.table.BufferFullException;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.concurrent.Callbacks;
import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * A gate that lets operations into their lanes in the order in which they came, once they are on disk, and none before those of earlier processes.
 * Thread-safe.
 */
public final class JournalOrderGate<I> {

    private static final Logger LOG = LoggerFactory.getLogger(JournalOrderGate.class);

    private static final String NOT_ACCEPTED =
            "the thread was interrupted; the item was not accepted, and is taken from the journal again";

    private final RecordJournal journal;
    private final TableService service;
    private final Duration submitTimeout;
    private final BiFunction<I, Throwable, CompletableFuture<Void>> refusal;
    private final Queue<Passage<I>> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final CompletableFuture<Void> opened = new CompletableFuture<>();

    /**
     * Begins closed.
     *
     * @param submitTimeout the time for which a caller waits for the operations of earlier processes
     * @param refusal takes an operation from the disk that its lane has refused
     */
    public JournalOrderGate(
            RecordJournal journal,
            TableService service,
            Duration submitTimeout,
            BiFunction<I, Throwable, CompletableFuture<Void>> refusal) {
        this.journal = journal;
        this.service = service;
        this.submitTimeout = submitTimeout;
        this.refusal = refusal;
    }

    private record Passage<I>(CompletableFuture<I> item, BiConsumer<@Nullable I, @Nullable Throwable> through) {}

    /** Ends when all operations of earlier processes are in their lanes. */
    public Mono<Void> opened() {
        return Mono.fromFuture(opened, true);
    }

    public void open() {
        opened.complete(null);
        schedule();
    }

    /**
     * Hands over an operation that is on its way to the disk, waiting for both.
     *
     * @param into hands it to the batcher
     * @return the result of that
     */
    public <R> R submit(CompletableFuture<I> written, Function<I, R> into) {
        I item;
        try {
            item = Objects.requireNonNull(BlockingAwait.on(Mono.fromFuture(written, true), NOT_ACCEPTED));
        } catch (Throwable e) {
            var unused = written.thenCompose(this::forget);
            throw e;
        }
        try {
            awaitTurn();
            drain();
            return into.apply(item);
        } catch (Throwable refused) {
            awaitForgotten(forget(item));
            throw refused;
        }
    }

    /** Takes an abandoned operation of its caller from the disk. */
    private CompletableFuture<Void> forget(I item) {
        return refusal.apply(item, new CancellationException("the operation was not handed over"));
    }

    /**
     * A refused operation has left the disk before its caller is notified, or a crash would send it again. A failure of
     * the disk is logged.
     */
    private static void awaitForgotten(CompletableFuture<Void> forgotten) {
        boolean interrupted = false;
        while (!forgotten.isDone()) {
            try {
                forgotten.get();
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException refusedByTheDisk) {
                LOG.warn("an operation that was refused may come back after a crash", refusedByTheDisk);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitTurn() {
        if (!opened.isDone()) {
            BlockingAwait.on(
                    opened().timeout(submitTimeout, service.timer())
                            .onErrorMap(
                                    TimeoutException.class,
                                    e -> new BufferFullException("no room within " + submitTimeout
                                            + ": the operations of earlier processes come first, "
                                            + journal.outstandingRecords() + " records are in the journal")),
                    NOT_ACCEPTED);
        }
    }

    /**
     * Writes an operation to disk and gives it when it is its turn, without a thread that waits. Cancelling takes it back.
     *
     * @param written writes it to disk
     * @param then what becomes of it
     * @return what became of it
     */
    public <R> Mono<R> write(Supplier<CompletableFuture<I>> written, Function<I, Mono<R>> then) {
        return Mono.create(sink -> {
            Disposable.Swap running = Disposables.swap();
            sink.onDispose(running);
            Context requested = Callbacks.waiting(Context.of(sink.contextView()));
            add(written.get(), (item, error) -> {
                if (item == null) {
                    sink.error(unwrapped(error));
                } else if (running.isDisposed()) {
                    var unused = forget(item);
                } else {
                    running.update(then.apply(item)
                            .onErrorResume(e -> Mono.fromFuture(refusal.apply(item, e), true)
                                    .onErrorComplete()
                                    .then(Mono.error(e)))
                            .contextWrite(requested)
                            .subscribe(sink::success, sink::error, sink::success));
                }
            });
        });
    }

    private static Throwable unwrapped(@Nullable Throwable error) {
        return error instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : Objects.requireNonNull(error);
    }

    private void add(CompletableFuture<I> item, BiConsumer<@Nullable I, @Nullable Throwable> through) {
        waiting.add(new Passage<>(item, through));
        var unused = item.whenComplete((done, error) -> schedule());
    }

    /** Lets through all whose turn it is; who is on disk and has called this comes after those that came before. */
    private void drain() {
        lock.lock();
        try {
            Passage<I> next = waiting.peek();
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
            service.work().execute(() -> {
                scheduled.set(false);
                drain();
            });
        } catch (RejectedExecutionException closed) {
            scheduled.set(false);
            drain();
        }
    }
}
