package io.stowline.records.internal.engine;

import io.stowline.error.ClosedException;
import io.stowline.records.internal.blob.ChunkTarget;
import io.stowline.records.internal.chunk.ChunkStore;
import io.stowline.table.LeftoverException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The end of a writer: refuses new records, delivers what is buffered until its time is over, and gives back what the writer has. Its last
 * steps run on the worker, once.
 */
final class WriterShutdown {

    private static final Logger LOG = LoggerFactory.getLogger(WriterShutdown.class);

    /** The steps of a writer that its end needs. */
    interface Steps {

        /** Refuses new records and ends the open chunk; under the lock. */
        void refuse(RuntimeException why);

        /** Ends the delivery and returns the chunks without an end; on the worker. */
        List<BufferedChunk> stop();

        /** Fails a chunk that is in memory; on the worker. */
        void leftOver(BufferedChunk chunk, Throwable cause);

        /** Returns the name of the blob that is to take a chunk; on the worker. */
        String blob(BufferedChunk chunk);

        /** Ends the waits for chunks that stay in the journal; under the lock. */
        void breakBarriers(RuntimeException why);
    }

    private final String writer;
    private final WriterLock lock;
    private final WriterTally tally;
    private final ChunkDelivery delivery;
    private final Steps steps;
    private final ChunkStore store;
    private final ChunkTarget target;
    private final Scheduler scheduler;
    private final Scheduler.Worker worker;
    private final Duration timeout;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private boolean closing;
    private boolean finishing;
    /** Set once the client is closed: nothing more can be delivered. */
    private @Nullable RuntimeException abandoned;

    private @Nullable Disposable deadline;

    WriterShutdown(
            WriterBounds bounds,
            WriterLock lock,
            WriterTally tally,
            ChunkDelivery delivery,
            Steps steps,
            ChunkStore store,
            ChunkTarget target,
            Scheduler scheduler,
            Scheduler.Worker worker) {
        this.writer = bounds.writer();
        this.timeout = bounds.closeTimeout();
        this.lock = lock;
        this.tally = tally;
        this.delivery = delivery;
        this.steps = steps;
        this.store = store;
        this.target = target;
        this.scheduler = scheduler;
        this.worker = worker;
    }

    /** Begins the end; returns when it is there. */
    CompletableFuture<Void> close() {
        lock.enter();
        try {
            if (!closing) {
                closing = true;
                steps.refuse(new ClosedException("the writer of " + writer + " is closed"));
                deadline = worker.schedule(
                        () -> finish(
                                new ClosedException("the writer of " + writer + " was closed, and its closeTimeout of "
                                        + timeout + " was over before all records were delivered")),
                        timeout.toMillis(),
                        TimeUnit.MILLISECONDS);
                if (abandoned != null) {
                    end(abandoned);
                } else {
                    chunkEnded();
                }
            }
            return ended;
        } finally {
            lock.leave();
        }
    }

    boolean isClosed() {
        return ended.isDone();
    }

    /** Called under the lock. */
    boolean isClosing() {
        return closing;
    }

    /** Finishes a close that has nothing to wait for; called under the lock after each chunk. */
    void chunkEnded() {
        if (closing && delivery.isIdle()) {
            end(new ClosedException("the writer of " + writer + " is closed"));
        }
    }

    private void end(RuntimeException why) {
        lock.afterwards(() -> worker.schedule(() -> finish(why)));
    }

    /** Leaves what has no end, after the client was closed before its writer; on the worker. */
    void clientClosed(ClosedException cause) {
        ClosedException why = new ClosedException("the client of the writer of " + writer
                + " is closed, so that the writer can deliver nothing more: close writers before their client ("
                + cause.getMessage() + ")");
        lock.enter();
        try {
            steps.refuse(why);
        } finally {
            lock.leave();
        }
        abandon(why, why);
        lock.enter();
        try {
            abandoned = why;
            if (closing) {
                end(why);
            }
        } finally {
            lock.leave();
        }
    }

    /** Fails the chunks in memory, and leaves those on disk to the next writer. */
    private void abandon(RuntimeException why, @Nullable Throwable cause) {
        List<BufferedChunk> left = steps.stop();
        if (left.isEmpty()) {
            return;
        }
        if (store.durable()) {
            LOG.warn(
                    "{} records in {} chunks stay in the journal for the next writer of {}: {}",
                    tally.buffered(),
                    left.size(),
                    writer,
                    why.getMessage());
            lock.enter();
            try {
                steps.breakBarriers(why);
            } finally {
                lock.leave();
            }
        } else {
            Throwable last = delivery.error();
            for (BufferedChunk chunk : left) {
                steps.leftOver(chunk, cause == null ? leftOver(chunk, last) : cause);
            }
        }
    }

    /** Returns the cause of a chunk that is left: the refusal of its last try unless it may be in its blob all the same. */
    private Throwable leftOver(BufferedChunk chunk, @Nullable Throwable last) {
        Throwable refusal = chunk.error();
        if (refusal != null && !chunk.isUnsettled()) {
            return refusal;
        }
        LeftoverException left = new LeftoverException(steps.blob(chunk), chunk.isUnsettled());
        if (last != null) {
            left.initCause(last);
        }
        return left;
    }

    /** Ends the writer, with or without the chunks that are left; on the worker. */
    private void finish(RuntimeException why) {
        if (finishing) {
            return;
        }
        finishing = true;
        Disposable timer = deadline;
        if (timer != null) {
            timer.dispose();
        }
        abandon(why, null);
        Duration grace = Duration.ofSeconds(5);
        Mono.defer(target::close)
                .timeout(grace, Mono.empty(), scheduler)
                .onErrorResume(e -> {
                    LOG.debug("the target of {} did not close", writer, e);
                    return Mono.empty();
                })
                .doFinally(end -> worker.schedule(this::giveBack))
                .subscribe();
    }

    private void giveBack() {
        try {
            store.close();
        } catch (RuntimeException e) {
            LOG.warn("the journal of the writer of {} could not be given back", writer, e);
        }
        ended.complete(null);
        worker.dispose();
        scheduler.dispose();
    }
}
