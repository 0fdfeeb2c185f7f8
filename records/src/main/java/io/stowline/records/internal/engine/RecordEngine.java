package io.stowline.records.internal.engine;

import io.stowline.error.ClosedException;
import io.stowline.error.StorageException;
import io.stowline.journal.JournalException;
import io.stowline.records.FailedRecords;
import io.stowline.records.RecordWriter.RecordProgress;
import io.stowline.records.internal.blob.ChunkRefusedException;
import io.stowline.records.internal.blob.ChunkTarget;
import io.stowline.records.internal.chunk.ChunkName;
import io.stowline.records.internal.chunk.ChunkSeal;
import io.stowline.records.internal.chunk.ChunkStore;
import io.stowline.records.internal.chunk.DamagedChunkException;
import io.stowline.records.internal.chunk.SealedChunk;
import io.stowline.table.FlushReport;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The engine of one writer: takes encoded records, keeps them in chunks, and delivers the chunks in their order. Thread-safe; one lock, and
 * one worker for the delivery and the timers.
 */
public final class RecordEngine {

    private static final Logger LOG = LoggerFactory.getLogger(RecordEngine.class);
    private static final byte[] UNREADABLE = new byte[0];

    private final WriterBounds bounds;
    private final WriterLock lock = new WriterLock();
    private final ChunkStore store;
    private final Function<ChunkName, String> blobNames;
    private final WriterTally tally;
    private final ChunkPause pause;
    private final ChunkDelivery delivery;
    private final ChunkRoll roll;
    private final RecordIntake intake;
    private final RecordBarriers barriers;
    private final FailureReports failures;
    private final WriterShutdown shutdown;
    private final SerialTasks callbacks;
    private final SerialTasks signals;
    private final CompletableFuture<FlushReport> replayed;
    private @Nullable String lastBlob;

    /**
     * Opens the engine, and begins with the chunks that earlier processes have left.
     *
     * @param blobNames names the blob of a chunk
     */
    public RecordEngine(
            WriterBounds bounds,
            WriterThreads threads,
            ChunkStore store,
            ChunkTarget target,
            Function<ChunkName, String> blobNames) {
        this.bounds = bounds;
        this.store = store;
        this.blobNames = blobNames;
        this.callbacks = new SerialTasks(threads.callbacks());
        this.signals = new SerialTasks(threads.callbacks());
        this.tally = new WriterTally(bounds.bufferRecords(), store.maxBytes());
        this.pause = new ChunkPause(bounds.writer(), threads.random());
        Scheduler.Worker worker = threads.scheduler().createWorker();
        this.delivery =
                new ChunkDelivery(lock, target, worker, pause, threads.nanos(), bounds.deliveryTimeout(), new Ends());
        ChunkSequence names = new ChunkSequence(threads.clock(), bounds.every(), threads.random());
        this.roll = new ChunkRoll(lock, store, names, bounds.upTo(), bounds.linger(), worker, delivery);
        this.intake = new RecordIntake(
                bounds.writer(),
                lock,
                tally,
                roll,
                delivery,
                bounds.submitTimeout(),
                callbacks,
                signals,
                store.durable() ? threads.disk() : null);
        this.barriers = new RecordBarriers(lock, tally, delivery);
        this.failures = new FailureReports(lock, tally, store.maxBytes(), bounds.onFailure(), callbacks, intake::serve);
        this.shutdown = new WriterShutdown(
                bounds, lock, tally, delivery, new Steps(), store, target, threads.scheduler(), worker);
        this.replayed = begin();
    }

    private CompletableFuture<FlushReport> begin() {
        lock.enter();
        try {
            for (SealedChunk found : store.found()) {
                BufferedChunk chunk = BufferedChunk.found(found);
                tally.found(chunk);
                delivery.add(chunk);
            }
            return barriers.replay();
        } finally {
            lock.leave();
        }
    }

    /**
     * Writes an encoded record, and waits for the disk where there is one.
     *
     * @param waits whether it waits for room, too
     */
    void write(byte[] record, boolean waits) {
        checkLength(record);
        intake.write(record, waits);
    }

    /** Returns the writing of an encoded record, without a thread that waits. */
    Mono<Void> writeLater(byte[] record) {
        checkLength(record);
        return intake.writeLater(record);
    }

    private void checkLength(byte[] record) {
        if (record.length > bounds.upTo()) {
            throw new IllegalArgumentException(
                    "a record of " + record.length + " bytes is longer than a chunk of the writer of "
                            + bounds.writer() + " may be, upTo " + bounds.upTo()
                            + " bytes; nothing was accepted. Set a larger upTo, at most 64 MiB, or upload it as a separate blob");
        }
    }

    CompletableFuture<FlushReport> flush() {
        lock.enter();
        try {
            roll.endUnlessEmpty();
            return barriers.add();
        } finally {
            lock.leave();
        }
    }

    CompletableFuture<FlushReport> replayed() {
        return replayed;
    }

    CompletableFuture<Void> close() {
        return shutdown.close();
    }

    @Nullable
    StorageException pausedBy() {
        return shutdown.isClosed() ? null : pause.cause();
    }

    RecordProgress progress() {
        lock.enter();
        try {
            return tally.progress();
        } finally {
            lock.leave();
        }
    }

    List<FailedRecords> takeFailures() {
        lock.enter();
        try {
            return failures.take();
        } finally {
            lock.leave();
        }
    }

    boolean isClosing() {
        lock.enter();
        try {
            return shutdown.isClosing();
        } finally {
            lock.leave();
        }
    }

    /** Returns whether a blocking write may wait for a disk. */
    boolean isDurable() {
        return store.durable();
    }

    /** Returns whether this thread runs a callback of this writer. */
    boolean isCallback() {
        return callbacks.isRunning();
    }

    /** Returns the executor of the reactive face's signals. */
    SerialTasks signals() {
        return signals;
    }

    /** Returns how many records wait for room. */
    int waiting() {
        lock.enter();
        try {
            return intake.waiting();
        } finally {
            lock.leave();
        }
    }

    /** Returns whether a record waits for room that is there, or that nothing will free: never, as the simulation shows. */
    boolean isStuck() {
        lock.enter();
        try {
            return intake.isBlocked() || (intake.waiting() > 0 && delivery.isIdle() && !tally.isRoomOnItsWay());
        } finally {
            lock.leave();
        }
    }

    String writer() {
        return bounds.writer();
    }

    /** Returns the records that a crash would lose now, unless the writer is being closed. */
    long unsafeRecords() {
        lock.enter();
        try {
            return store.durable() || shutdown.isClosing() ? 0 : tally.buffered();
        } finally {
            lock.leave();
        }
    }

    /** The consequences of the end of a chunk; called on the worker. */
    private final class Ends implements ChunkDelivery.Ends {

        @Override
        public void written(BufferedChunk chunk, int records, @Nullable ChunkSeal seal, String blob) {
            lock.enter();
            try {
                delivery.remove(chunk);
                String name = seal == null ? blob : seal.blob();
                boolean begun = records > 0 && !name.equals(lastBlob);
                lastBlob = records > 0 ? name : lastBlob;
                tally.write(chunk, records, seal == null ? 0 : seal.length(), begun);
                chunkEnded();
            } finally {
                lock.leave();
            }
        }

        @Override
        public void failed(BufferedChunk chunk, SealedChunk sealed, Throwable cause) {
            byte[] content = content(sealed);
            String blob = blob(chunk);
            Throwable known = known(cause, blob);
            int records = sealed.records();
            LOG.error(
                    "{} records of the writer of {} are not in the blob {}: {}",
                    records,
                    bounds.writer(),
                    blob,
                    known.toString());
            try {
                sealed.rejected(reason(cause));
            } catch (JournalException e) {
                LOG.error("a chunk that cannot get into its blob stays in the journal", e);
            }
            lock.enter();
            try {
                delivery.remove(chunk);
                tally.fail(chunk, records);
                failures.add(new FailedRecords(blob, records, content, known));
                chunkEnded();
            } finally {
                lock.leave();
            }
        }

        @Override
        public String blob(BufferedChunk chunk) {
            ChunkSeal seal = chunk.seal();
            return seal == null ? blobNames.apply(chunk.name()) : seal.blob();
        }

        @Override
        public void clientClosed(ClosedException cause) {
            shutdown.clientClosed(cause);
        }

        /** Returns the cause of a failure as an exception of the public API. */
        private static Throwable known(Throwable cause, String blob) {
            if (cause instanceof ChunkRefusedException refused) {
                return refused.ofService(blob);
            }
            return cause instanceof DamagedChunkException damaged
                    ? new JournalException(String.valueOf(damaged.getMessage()), damaged)
                    : cause;
        }

        private void chunkEnded() {
            barriers.chunkEnded();
            intake.serve();
            roll.endOverdue();
            shutdown.chunkEnded();
        }

        private byte[] content(SealedChunk sealed) {
            try {
                return sealed.content();
            } catch (JournalException | DamagedChunkException e) {
                LOG.error("the records of a chunk cannot be read", e);
                return UNREADABLE;
            }
        }

        private String reason(Throwable cause) {
            return String.valueOf(cause.getMessage()).replaceAll("\\p{Cntrl}+", " ");
        }
    }

    private final class Steps implements WriterShutdown.Steps {

        @Override
        public void refuse(RuntimeException why) {
            intake.close(why);
            roll.end();
        }

        @Override
        public List<BufferedChunk> stop() {
            return delivery.stop();
        }

        @Override
        public void leftOver(BufferedChunk chunk, Throwable cause) {
            new Ends().failed(chunk, chunk.sealed(), cause);
        }

        @Override
        public String blob(BufferedChunk chunk) {
            return new Ends().blob(chunk);
        }

        @Override
        public void breakBarriers(RuntimeException why) {
            barriers.breakAll(why);
        }
    }
}
