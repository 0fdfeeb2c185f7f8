package io.stowline.table.internal.operation;

import io.stowline.error.StorageException;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.table.FlushReport;
import io.stowline.table.ReactiveIndexedTable;
import io.stowline.table.ReactiveTable;
import io.stowline.table.ReactiveTableWriter;
import io.stowline.table.StoredEntity;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import io.stowline.table.TableWriter.RejectedOperation;
import io.stowline.table.TableWriter.ReplayReport;
import io.stowline.table.UncollectedFailuresException;
import io.stowline.transport.internal.concurrent.UserCode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@link ReactiveTableWriter} whose operations a {@link WriterOperations} carries out. */
public final class DefaultReactiveTableWriter<T> implements ReactiveTableWriter<T> {

    private final WriterOperations<T> core;

    public DefaultReactiveTableWriter(WriterOperations<T> core) {
        this.core = core;
    }

    @Override
    public <R> ReactiveTableWriter<R> in(ReactiveTable<R> table) {
        return new DefaultReactiveTableWriter<>(core.in(TableHolder.member(table)));
    }

    @Override
    public <R> ReactiveTableWriter<R> in(ReactiveIndexedTable<R> table) {
        return new DefaultReactiveTableWriter<>(core.in(TableHolder.member(table)));
    }

    @Override
    public Mono<WriteResult> insert(T value) {
        return write(() -> TableOperation.insert(value));
    }

    @Override
    public Mono<WriteResult> insertOrMerge(T value) {
        return write(() -> TableOperation.insertOrMerge(value));
    }

    @Override
    public Mono<WriteResult> insertOrReplace(T value) {
        return write(() -> TableOperation.insertOrReplace(value));
    }

    @Override
    public Mono<WriteResult> replace(StoredEntity<T> stored) {
        return write(() -> TableOperation.replace(stored));
    }

    @Override
    public Mono<WriteResult> merge(StoredEntity<T> stored) {
        return write(() -> TableOperation.merge(stored));
    }

    @Override
    public Mono<WriteResult> delete(StoredEntity<T> stored) {
        return write(() -> TableOperation.delete(stored));
    }

    @Override
    public Mono<WriteResult> delete(T value) {
        return write(() -> TableOperation.delete(value));
    }

    @Override
    public Mono<WriteResult> delete(String partitionKey, String rowKey) {
        return write(() -> TableOperation.delete(partitionKey, rowKey));
    }

    @Override
    public <C> Flux<ItemResult<C, WriteResult>> write(Publisher<? extends TableOperation<T, C>> operations) {
        return core.writeAll(UserCode.signalling(Flux.from(Objects.requireNonNull(operations, "operations"))));
    }

    private Mono<WriteResult> write(Supplier<TableOperation<T, ?>> operation) {
        return core.write(operation);
    }

    @Override
    public Mono<FlushReport> flush() {
        return Mono.defer(core::flush);
    }

    @Override
    public Mono<ReplayReport> awaitReplay() {
        return Mono.defer(core::replayed);
    }

    @Override
    public Mono<List<RejectedOperation>> rejected() {
        return core.rejectedAsync();
    }

    @Override
    public Mono<Void> discardRejected(long id) {
        return core.discardRejectedAsync(id);
    }

    @Override
    public Optional<StorageException> pausedBy() {
        return core.pausedBy();
    }

    @Override
    public TableWriter.Stats stats() {
        return core.stats();
    }

    @Override
    public TableWriter.WriteProgress progress() {
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
    public Mono<Void> close() {
        return core.closeAsync();
    }
}
