package io.stowline.table.internal.operation;

import io.stowline.batching.internal.writer.Batcher;
import io.stowline.error.StorageException;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.table.FlushReport;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import io.stowline.table.TableWriter.RejectedOperation;
import io.stowline.table.TableWriter.ReplayReport;
import io.stowline.table.UncollectedFailuresException;
import io.stowline.table.internal.write.OperationLog;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A writer behind a log: a flush waits for the operations of earlier processes too, and the log is in use until all that the writer accepted
 * has ended. A subclass puts an operation into the log before the writer gets it.
 */
public abstract class JournaledOperations<T> implements WriterOperations<T> {

    private final WriterOperations<T> writer;
    private final OperationLog log;

    protected JournaledOperations(WriterOperations<T> writer, OperationLog log) {
        this.writer = writer;
        this.log = log;
    }

    /** By the operation: the log takes it before the writer. */
    @Override
    public final Mono<WriteResult> write(Supplier<TableOperation<T, ?>> operation) {
        return WriterOperations.super.write(operation);
    }

    @Override
    public final <C> Flux<ItemResult<C, WriteResult>> writeAll(Publisher<? extends TableOperation<T, C>> operations) {
        return JournaledStream.writeAll(operations, batcher().settings().bufferItems(), this::write);
    }

    @Override
    public final Mono<FlushReport> flush() {
        return log.opened().then(writer.flush());
    }

    @Override
    public final FlushReport flushAndWait() {
        BlockingAwait.refuseEventLoop();
        BlockingAwait.on(log.opened());
        return writer.flushAndWait();
    }

    @Override
    public final Mono<ReplayReport> replayed() {
        return log.replayed();
    }

    @Override
    public final Mono<Void> closeAsync() {
        return Mono.defer(() -> {
            releaseAtTheEnd();
            return writer.closeAsync().doOnTerminate(this::release);
        });
    }

    @Override
    public final void close() {
        releaseAtTheEnd();
        try {
            writer.close();
        } finally {
            release();
        }
    }

    /** A close within a callback does not wait, nor does one that is given up; the journal is in use until the end. */
    private void releaseAtTheEnd() {
        batcher().closeAsync().doOnTerminate(this::release).subscribe(nothing -> {}, failures -> {});
    }

    /** Releases the journal before the end is signalled: the next writer may be opened at once. */
    private void release() {
        if (batcher().isClosed()) {
            log.close();
        }
    }

    @Override
    public final Optional<StorageException> pausedBy() {
        return Optional.ofNullable(log.pausedBy());
    }

    @Override
    public final List<RejectedOperation> rejected() {
        return log.rejected();
    }

    @Override
    public final void discardRejected(long id) {
        log.discardRejected(id);
    }

    @Override
    public final Batcher<?, ?, WriteResult> batcher() {
        return writer.batcher();
    }

    @Override
    public final TableWriter.Stats stats() {
        return writer.stats();
    }

    @Override
    public final TableWriter.WriteProgress progress() {
        return writer.progress();
    }

    @Override
    public final Optional<UncollectedFailuresException> takeFailures() {
        return writer.takeFailures();
    }

    @Override
    public final Mono<List<RejectedOperation>> rejectedAsync() {
        return WriterOperations.super.rejectedAsync();
    }

    @Override
    public final Mono<Void> discardRejectedAsync(long id) {
        return WriterOperations.super.discardRejectedAsync(id);
    }
}
