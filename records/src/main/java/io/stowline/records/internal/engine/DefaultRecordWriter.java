package io.stowline.records.internal.engine;

import io.stowline.error.ClosedException;
import io.stowline.error.StorageException;
import io.stowline.error.WaitInterruptedException;
import io.stowline.records.FailedRecords;
import io.stowline.records.FailedRecordsException;
import io.stowline.records.ReactiveRecordWriter;
import io.stowline.records.RecordWriter;
import io.stowline.records.internal.format.RecordCodec;
import io.stowline.table.FlushReport;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/**
 * The blocking face of a writer. Thread-safe.
 *
 * @param <T> the records' type
 */
public final class DefaultRecordWriter<T> implements RecordWriter<T> {

    private final WriterHandle handle;
    private final RecordEngine engine;
    private final RecordCodec<T> codec;
    private final boolean waits;
    private final RecordWriter<T> failingFast;
    private final ReactiveRecordWriter<T> reactive;

    /** Makes the faces of a writer. */
    public DefaultRecordWriter(WriterHandle handle, RecordCodec<T> codec) {
        this.handle = handle;
        this.engine = handle.engine();
        this.codec = codec;
        this.waits = true;
        this.reactive = new DefaultReactiveRecordWriter<>(handle, codec);
        this.failingFast = new DefaultRecordWriter<>(this);
    }

    private DefaultRecordWriter(DefaultRecordWriter<T> waiting) {
        this.handle = waiting.handle;
        this.engine = waiting.engine;
        this.codec = waiting.codec;
        this.waits = false;
        this.reactive = waiting.reactive;
        this.failingFast = this;
    }

    @Override
    public void write(T record) {
        if (waits || engine.isDurable()) {
            refuseNonBlocking("write");
        }
        engine.write(codec.encode(Objects.requireNonNull(record, "record")), waits);
    }

    @Override
    public RecordWriter<T> failingFast() {
        return failingFast;
    }

    @Override
    public ReactiveRecordWriter<T> reactive() {
        return reactive;
    }

    @Override
    public FlushReport flush() {
        refuseNonBlocking("flush");
        return await(engine.flush(), "a flush of the writer of " + engine.writer() + "; it goes on");
    }

    @Override
    public FlushReport awaitReplay() {
        refuseNonBlocking("awaitReplay");
        return await(engine.replayed(), "the chunks of earlier processes; their delivery goes on");
    }

    @Override
    public Optional<StorageException> pausedBy() {
        return Optional.ofNullable(engine.pausedBy());
    }

    @Override
    public RecordProgress progress() {
        return engine.progress();
    }

    @Override
    public List<FailedRecords> takeFailures() {
        return engine.takeFailures();
    }

    @Override
    public void close() {
        if (engine.isCallback()) {
            var unused = handle.close();
            return;
        }
        refuseNonBlocking("close");
        await(handle.close(), "the close of the writer of " + engine.writer() + "; it goes on");
        List<FailedRecords> failures = engine.takeFailures();
        if (!failures.isEmpty()) {
            throw new FailedRecordsException(failures);
        }
    }

    private static <R extends @Nullable Object> R await(CompletableFuture<R> end, String what) {
        try {
            return end.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException("interrupted while waiting for " + what, e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof ClosedException closed
                    ? new ClosedException(String.valueOf(closed.getMessage()))
                    : new IllegalStateException(e.getCause());
        }
    }

    private static void refuseNonBlocking(String call) {
        if (Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException("the blocking call " + call + " of a writer of records on the thread "
                    + Thread.currentThread().getName() + ", which must not block: use the reactive() face there");
        }
    }

    @Override
    public String toString() {
        return "RecordWriter[" + engine.writer() + "]";
    }
}
