package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.callback.FailedOutcome;
import io.stowline.batching.internal.writer.FlushCounts;
import io.stowline.batching.internal.writer.UncollectedItems;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Schedulers;

/**
 * The barriers of a writer: a flush is over when all that was accepted before it is terminal, a close when all is. Guarded by the engine's
 * lock.
 */
final class WriterBarriers<K, I, R> {

    private static final Duration FIRST_NOTICE = Duration.ofSeconds(2);
    private static final Duration NEXT_NOTICE = Duration.ofSeconds(10);

    private final EngineLock<K, I, R> engine;
    private final EngineBatcher<K, I, R> writer;
    private final ArrayDeque<FlushEpoch> sealed = new ArrayDeque<>();
    private final CompletableFuture<Supplier<@Nullable RuntimeException>> closed = new CompletableFuture<>();
    private final Disposable.Swap deadline = Disposables.swap();
    private final Disposable.Swap notice = Disposables.swap();
    private FlushEpoch current = new FlushEpoch();
    private long accepted;
    private boolean closing;
    private boolean ended;

    WriterBarriers(EngineLock<K, I, R> engine, EngineBatcher<K, I, R> writer) {
        this.engine = engine;
        this.writer = writer;
    }

    boolean isClosing() {
        return closing;
    }

    boolean isClosed() {
        return closed.isDone();
    }

    /** Counts an accepted item for the flushes to come. */
    FlushEpoch enter() {
        accepted++;
        current.accepted++;
        current.pending++;
        return current;
    }

    /** Returns how many items were accepted so far. */
    long accepted() {
        return accepted;
    }

    /** Has all sent without lingering, and ends when all that was accepted so far is terminal. */
    CompletableFuture<FlushCounts> flush() {
        engine.enter();
        try {
            engine.scheduler().urge(writer);
            engine.touch(writer);
            return seal().report;
        } finally {
            engine.leave();
        }
    }

    /** Ends the current epoch; flushes with nothing accepted between them share one. */
    private FlushEpoch seal() {
        if (current.accepted > 0 || sealed.isEmpty()) {
            sealed.add(current);
            current = new FlushEpoch();
        }
        return sealed.getLast();
    }

    /** Refuses everything new and sends what there is; the first call sets the deadline. */
    CompletableFuture<Supplier<@Nullable RuntimeException>> close() {
        engine.enter();
        try {
            if (!closing) {
                closing = true;
                engine.shutdown().turnAway(writer, engine.errors().closed("the writer is closed"));
                engine.scheduler().urge(writer);
                engine.touch(writer);
                engine.later(() -> {
                    deadline.update(engine.schedule(writer.settings().closeTimeout(), () -> engine.shutdown()
                            .expire(writer)));
                    reportIn(FIRST_NOTICE);
                });
            }
            return closed;
        } finally {
            engine.leave();
        }
    }

    private void reportIn(Duration time) {
        long from = engine.now();
        notice.update(engine.schedule(time, () -> {
            // A timer that has stopped runs each task at once, which must not go round.
            if (engine.now() - from >= time.toNanos() / 2) {
                reportClosing();
            }
        }));
    }

    private void reportClosing() {
        long items = engine.read(() -> ended ? 0 : writer.buffer().items());
        if (items > 0) {
            engine.warning()
                    .waiting("the close of a writer waits, " + writer.settings().closeTimeout() + " at most, for "
                            + items + " operations of " + writer.bufferedBytes() + " bytes");
            reportIn(NEXT_NOTICE);
        }
    }

    /** Ends the flushes and the close that wait for nothing any more. */
    void settle() {
        for (FlushEpoch done = pollDone(); done != null; done = pollDone()) {
            FlushEpoch epoch = done;
            engine.later(() -> epoch.report.complete(new FlushCounts(epoch.completed, epoch.failed)));
        }
        if (closing && !ended && writer.buffer().items() == 0) {
            ended = true;
            UncollectedItems failures = writer.uncollected().poll();
            Throwable broken = writer.broken;
            engine.later(() -> end(() -> engine.errors().atClose(broken, failures)));
        }
    }

    /** Takes the oldest sealed epoch when all its items are terminal; what it reports, the next one repeats. */
    private @Nullable FlushEpoch pollDone() {
        FlushEpoch first = sealed.peek();
        if (first == null || first.pending > 0) {
            return null;
        }
        sealed.remove();
        FlushEpoch next = sealed.peek();
        if (next != null) {
            next.completed += first.completed;
            next.failed += first.failed;
        }
        return first;
    }

    private void end(Supplier<@Nullable RuntimeException> failures) {
        deadline.dispose();
        notice.dispose();
        engine.warning().closed(writer);
        closed.complete(failures);
    }

    /** The items accepted between two flushes; guarded by the engine's lock. */
    static final class FlushEpoch {

        final CompletableFuture<FlushCounts> report = new CompletableFuture<>();
        long accepted;
        long pending;
        long completed;
        long failed;

        void count(Object outcome) {
            pending--;
            if (outcome instanceof FailedOutcome) {
                failed++;
            } else {
                completed++;
            }
        }
    }

    /** Waits for a flush or a close on this thread, unless that must not block. */
    <T> T await(CompletableFuture<T> end, String what, String call, String other) {
        if (!end.isDone() && Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException(
                    call + " would block " + Thread.currentThread().getName() + ", which must not block, and goes on: "
                            + other + " of the reactive() face has its end");
        }
        engine.callbacks().beforeWaiting();
        try {
            return end.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw engine.errors().interrupted("interrupted while " + what + ", which goes on", interrupted);
        } catch (ExecutionException failed) {
            throw FailedOutcome.unchecked(Objects.requireNonNullElse(failed.getCause(), failed));
        }
    }
}
