package io.stowline.records.internal.engine;

import io.stowline.records.internal.chunk.ChunkStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * The open chunk of a writer, and the rules of its end: it is full, its interval or its linger is over, or its disk refuses. Guarded by the
 * writer's lock.
 */
final class ChunkRoll {

    /** A timer that fires a little early would leave a small chunk for the rest of the interval. */
    private static final int MARGIN_MILLIS = 50;

    private final WriterLock lock;
    private final ChunkStore store;
    private final ChunkSequence names;
    private final int upTo;
    private final long linger;
    private final Scheduler.Worker worker;
    private final ChunkDelivery delivery;
    private @Nullable BufferedChunk current;
    private boolean overdue;
    private @Nullable Disposable timer;

    /**
     * Begins without a chunk.
     *
     * @param linger how long a chunk waits for more records, at most its interval
     * @param delivery takes the chunks that take no more records
     */
    ChunkRoll(
            WriterLock lock,
            ChunkStore store,
            ChunkSequence names,
            int upTo,
            Duration linger,
            Scheduler.Worker worker,
            ChunkDelivery delivery) {
        this.lock = lock;
        this.store = store;
        this.names = names;
        this.upTo = upTo;
        this.linger = linger.toMillis();
        this.worker = worker;
        this.delivery = delivery;
    }

    /**
     * Returns the chunk for a record of this moment.
     *
     * @throws io.stowline.journal.JournalException if the disk refuses a new one
     */
    BufferedChunk chunkFor(int length) {
        BufferedChunk chunk = current;
        if (chunk != null && (chunk.bytes() + length > upTo || chunk.open().isBroken() || names.isOver())) {
            end();
            chunk = null;
        }
        if (chunk == null) {
            chunk = BufferedChunk.open(store.open(names.next()));
            current = chunk;
            BufferedChunk opened = chunk;
            timer = worker.schedule(
                    () -> lingered(opened), Math.min(linger, names.left() + MARGIN_MILLIS), TimeUnit.MILLISECONDS);
        }
        return chunk;
    }

    /** Ends the chunk if it is full. */
    void written(BufferedChunk chunk) {
        if (chunk.bytes() >= upTo && chunk == current) {
            end();
        }
    }

    /** Ends the chunk if its disk has refused a record for good, so that the next record gets another file. */
    void refused(BufferedChunk chunk) {
        if (chunk == current && (chunk.records() > 0 || chunk.open().isBroken())) {
            end();
        }
    }

    /** Ends the open chunk if it has a record. */
    void endUnlessEmpty() {
        BufferedChunk chunk = current;
        if (chunk != null && chunk.records() > 0) {
            end();
        }
    }

    /** Ends a chunk whose time is over once none is on its way: until then it may fill. */
    void endOverdue() {
        if (overdue && delivery.isIdle()) {
            end();
        }
    }

    /** Ends the open chunk if there is one. */
    void end() {
        BufferedChunk chunk = current;
        if (chunk == null) {
            return;
        }
        current = null;
        overdue = false;
        Disposable running = timer;
        if (running != null) {
            running.dispose();
        }
        delivery.add(chunk);
    }

    private void lingered(BufferedChunk chunk) {
        lock.enter();
        try {
            if (chunk == current) {
                overdue = true;
                endOverdue();
            }
        } finally {
            lock.leave();
        }
    }
}
