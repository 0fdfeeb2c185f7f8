package io.stowline.table.internal.index.repair;

import io.stowline.error.StorageException;
import io.stowline.error.TransactionFailedException;
import io.stowline.error.internal.PrintableText;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.table.TableOperation;
import io.stowline.table.internal.index.IndexedContext;
import io.stowline.table.internal.index.IndexedRow;
import io.stowline.table.internal.index.TableIndex.IndexKey;
import io.stowline.table.internal.operation.LaneWriter;
import io.stowline.table.internal.query.RowDecoder.RowWithValue;
import io.stowline.transport.internal.concurrent.UserCode;
import io.stowline.transport.internal.error.ExceptionCopier;
import io.stowline.transport.internal.error.SimultaneousFailures;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A backfill that writes the references of entities that were written without them: one scan, and transactions of references, up to 100 of
 * a partition. A reference that is not needed does no harm, so that entities may change beside it; a repair verifies the end. Thread-safe.
 */
public final class IndexBackfill<T> {

    /** Enough that each of 64 partitions collects a full transaction, and within the buffer of a writer. */
    private static final int IN_FLIGHT = 8_192;

    private static final int BUFFER_ITEMS = 10_000;
    private static final Duration LINGER = Duration.ofMillis(200);

    private final IndexedContext<T> context;
    private final IndexRepair<T> repair;

    public IndexBackfill(IndexedContext<T> context) {
        this.context = context;
        this.repair = new IndexRepair<>(context);
    }

    /** One entity with its references. */
    private record Filled(String partition, List<IndexedRow> references) {}

    /** Fills the whole table, or the partitions from one on, and repairs what is not as it should be then. */
    public Mono<IndexReport> table(@Nullable String from, BiConsumer<? super String, ? super IndexReport> progress) {
        return Mono.defer(() -> {
            AtomicReference<IndexReport> soFar = new AtomicReference<>(IndexFindings.NOTHING);
            AtomicReference<@Nullable String> reached = new AtomicReference<>(from);
            return Flux.usingWhen(
                            Mono.fromSupplier(this::writer), writer -> written(writer, from), LaneWriter::closeAsync)
                    .windowUntilChanged(Filled::partition)
                    .concatMap(
                            partition -> partition
                                    .doOnNext(entity -> soFar.accumulateAndGet(report(entity), IndexReport::and))
                                    .last()
                                    .doOnNext(last -> {
                                        reached.set(last.partition);
                                        UserCode.run(() -> progress.accept(last.partition, read(soFar)));
                                    }),
                            1)
                    .onErrorMap(SimultaneousFailures::first)
                    .onErrorMap(StorageException.class, e -> unfinished(e, rest(reached.get())))
                    .then(Mono.defer(() -> repair.table(from, (partition, report) -> {})
                            .onErrorMap(
                                    StorageException.class,
                                    e -> unfinished(e, "all references are written, and repair verifies them"))))
                    .map(verified -> verified.and(IndexFindings.withoutEntities(read(soFar))));
        });
    }

    private static StorageException unfinished(StorageException failure, String rest) {
        if (failure instanceof TransactionFailedException) {
            return failure;
        }
        return ExceptionCopier.with(failure, failure.failure().saying("; " + rest));
    }

    private static String rest(@Nullable String reached) {
        return reached == null
                ? "the references of no partition were all written: backfill starts again"
                : "backfillFrom goes on from the partition " + PrintableText.of(reached);
    }

    private static IndexReport read(AtomicReference<IndexReport> soFar) {
        return Objects.requireNonNull(soFar.get(), "the report");
    }

    private static IndexReport report(Filled entity) {
        return new IndexReport(1, entity.references.size(), 0, 0, 0);
    }

    /** A writer whose requests have the retries and the deadline of the table, as the pages of the scan do. */
    private LaneWriter<IndexedRow> writer() {
        return LaneWriter.ofCall(
                context.rows(),
                settings -> settings.linger(LINGER).bufferItems(BUFFER_ITEMS).warnAtExit(false));
    }

    /** In the order of the scan: an entity comes once its references, and those of all entities before it, are written. */
    private Flux<Filled> written(LaneWriter<IndexedRow> writer, @Nullable String from) {
        return repair.entities(from)
                .map(this::filled)
                .flatMapSequential(
                        entity -> Flux.fromIterable(entity.references)
                                .flatMap(row -> writer.write(TableOperation.insertOrReplace(row)))
                                .then(Mono.just(entity)),
                        IN_FLIGHT,
                        1);
    }

    /** The repair reports an entity that has no keys for its index rows. */
    private Filled filled(RowWithValue<IndexedRow, T> entity) {
        IndexedRow row = entity.row();
        T value = entity.value();
        try {
            return new Filled(
                    row.partitionKey(),
                    value == null
                            ? List.of()
                            : context.keys(value).stream()
                                    .filter(IndexKey::elsewhere)
                                    .map(key -> IndexedRow.reference(key, row.rowKey()))
                                    .toList());
        } catch (RuntimeException refused) {
            return new Filled(row.partitionKey(), List.of());
        }
    }
}
