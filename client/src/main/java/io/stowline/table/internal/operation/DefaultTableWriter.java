package io.stowline.table.internal.operation;

import io.stowline.error.StorageException;
import io.stowline.outcome.WriteResult;
import io.stowline.table.FlushReport;
import io.stowline.table.IndexedTable;
import io.stowline.table.ReactiveTableWriter;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import io.stowline.table.UncollectedFailuresException;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** {@link TableWriter} whose operations a {@link WriterOperations} carries out. */
public final class DefaultTableWriter<T> extends OperationVerbs<T, Submission<WriteResult>> implements TableWriter<T> {

    private final WriterOperations<T> core;
    private final boolean waits;

    public DefaultTableWriter(WriterOperations<T> core) {
        this(core, true);
    }

    private DefaultTableWriter(WriterOperations<T> core, boolean waits) {
        this.core = core;
        this.waits = waits;
    }

    @Override
    public TableWriter<T> failingFast() {
        return new DefaultTableWriter<>(core, false);
    }

    @Override
    public ReactiveTableWriter<T> reactive() {
        return new DefaultReactiveTableWriter<>(core);
    }

    @Override
    public <R> TableWriter<R> in(Table<R> table) {
        return new DefaultTableWriter<>(core.in(TableHolder.member(table)), waits);
    }

    @Override
    public <R> TableWriter<R> in(IndexedTable<R> table) {
        return new DefaultTableWriter<>(core.in(TableHolder.member(table)), waits);
    }

    @Override
    public Submission<WriteResult> delete(String partitionKey, String rowKey) {
        return take(TableOperation.delete(partitionKey, rowKey));
    }

    @Override
    Submission<WriteResult> take(TableOperation<T, ?> operation) {
        return waits ? core.submit(operation) : core.offer(operation);
    }

    @Override
    public FlushReport flush() {
        return core.flushAndWait();
    }

    @Override
    public ReplayReport awaitReplay() {
        return Objects.requireNonNull(
                BlockingAwait.on(core.replayed(), "interrupted while waiting for the replay, which goes on"),
                "the replay ended without a report");
    }

    @Override
    public List<RejectedOperation> rejected() {
        return core.rejected();
    }

    @Override
    public void discardRejected(long id) {
        core.discardRejected(id);
    }

    @Override
    public Optional<StorageException> pausedBy() {
        return core.pausedBy();
    }

    @Override
    public Stats stats() {
        return core.stats();
    }

    @Override
    public WriteProgress progress() {
        return core.progress();
    }

    @Override
    public int bufferedItems() {
        return core.batcher().bufferedItems();
    }

    @Override
    public long bufferedBytes() {
        return core.batcher().bufferedBytes();
    }

    @Override
    public int undeliveredItems() {
        return core.batcher().undeliveredItems();
    }

    @Override
    public Optional<UncollectedFailuresException> takeFailures() {
        return core.takeFailures();
    }

    @Override
    public void close() {
        core.close();
    }
}
