package io.stowline.records.internal.engine;

import io.stowline.records.FailedRecords;
import io.stowline.records.FailedRecordsException;
import io.stowline.records.ReactiveRecordWriter;
import io.stowline.records.internal.format.RecordCodec;
import io.stowline.table.FlushReport;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/**
 * The non-blocking face of a writer. Thread-safe.
 *
 * @param <T> the records' type
 */
final class DefaultReactiveRecordWriter<T> implements ReactiveRecordWriter<T> {

    /** Records that wait for room or for the disk at the same time: they share the waits. */
    private static final int AHEAD = 256;

    private final WriterHandle handle;
    private final RecordEngine engine;
    private final RecordCodec<T> codec;

    DefaultReactiveRecordWriter(WriterHandle handle, RecordCodec<T> codec) {
        this.handle = handle;
        this.engine = handle.engine();
        this.codec = codec;
    }

    @Override
    public Mono<Void> write(T record) {
        Objects.requireNonNull(record, "record");
        return Mono.defer(() -> engine.writeLater(codec.encode(record)));
    }

    @Override
    public Mono<Long> writeAll(Publisher<? extends T> records) {
        Objects.requireNonNull(records, "records");
        return Mono.defer(() -> {
            AtomicLong accepted = new AtomicLong();
            AtomicReference<@Nullable Throwable> refusal = new AtomicReference<>();
            Sinks.Empty<Void> stop = Sinks.empty();
            return Flux.<T>from(records)
                    .takeUntilOther(stop.asMono())
                    .flatMap(
                            record -> refusal.get() != null
                                    ? Mono.<Void>empty()
                                    : write(record)
                                            .doOnSuccess(end -> accepted.incrementAndGet())
                                            .onErrorResume(e -> {
                                                refusal.compareAndSet(null, e);
                                                stop.tryEmitEmpty();
                                                return Mono.empty();
                                            }),
                            AHEAD)
                    .then(Mono.defer(() -> {
                        Throwable first = refusal.get();
                        return first == null ? Mono.just(accepted.get()) : Mono.error(first);
                    }));
        });
    }

    @Override
    public Mono<FlushReport> flush() {
        return signalled(engine::flush);
    }

    @Override
    public Mono<FlushReport> awaitReplay() {
        return signalled(engine::replayed);
    }

    @Override
    public Mono<Void> close() {
        return signalled(handle::close).then(Mono.defer(() -> {
            List<FailedRecords> failures = engine.takeFailures();
            return failures.isEmpty() ? Mono.empty() : Mono.error(new FailedRecordsException(failures));
        }));
    }

    private <R extends @Nullable Object> Mono<R> signalled(Supplier<CompletableFuture<R>> end) {
        return Mono.fromFuture(end, true).publishOn(Schedulers.fromExecutor(engine.signals()));
    }

    @Override
    public String toString() {
        return "ReactiveRecordWriter[" + engine.writer() + "]";
    }
}
