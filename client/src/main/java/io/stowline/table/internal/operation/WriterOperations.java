package io.stowline.table.internal.operation;

import io.stowline.batching.internal.callback.TaggedResult;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.FlushCounts;
import io.stowline.batching.internal.writer.ItemCounts;
import io.stowline.error.StorageException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.error.WaitInterruptedException;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.table.FlushReport;
import io.stowline.table.Submission;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import io.stowline.table.TableWriter.RejectedOperation;
import io.stowline.table.TableWriter.ReplayReport;
import io.stowline.table.UncollectedFailuresException;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.writer.WriterErrors;
import io.stowline.transport.internal.concurrent.UserCode;
import io.stowline.transport.internal.thread.WaitingThreads;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The common part of both faces of a writer: that of a table, or of one with indexes. */
public interface WriterOperations<T> {

    /**
     * Returns the same writer for rows of another type.
     *
     * @throws IllegalArgumentException if they are of another table or client, or have indexes and this writer keeps none
     */
    <R> WriterOperations<R> in(TableMember<R> member);

    /** Waits for room. */
    Submission<WriteResult> submit(TableOperation<T, ?> operation);

    /** Refuses when there is no room. */
    Submission<WriteResult> offer(TableOperation<T, ?> operation);

    /** Waits for room without a thread. */
    Mono<WriteResult> write(TableOperation<T, ?> operation);

    /** Waits for room without a thread with an operation that is made on subscription. */
    default Mono<WriteResult> write(Supplier<TableOperation<T, ?>> operation) {
        return Mono.defer(() -> write(operation.get()));
    }

    /** Takes what a publisher gives; what cannot be encoded comes back as refused. */
    <C> Flux<ItemResult<C, WriteResult>> writeAll(Publisher<? extends TableOperation<T, C>> operations);

    Mono<FlushReport> flush();

    /** Waits on the caller's thread, which the callback threads cannot keep from it. */
    FlushReport flushAndWait();

    /** Returns the end of the operations that were in the journal. */
    default Mono<ReplayReport> replayed() {
        return Mono.just(new ReplayReport(0, 0, 0, 0, 0));
    }

    Mono<Void> closeAsync();

    void close();

    default Optional<StorageException> pausedBy() {
        return Optional.empty();
    }

    default List<RejectedOperation> rejected() {
        return List.of();
    }

    default void discardRejected(long id) {}

    /** Returns the batcher that counts the accepted operations. */
    Batcher<?, ?, WriteResult> batcher();

    TableWriter.Stats stats();

    default TableWriter.WriteProgress progress() {
        ItemCounts counts = batcher().counts();
        return new TableWriter.WriteProgress(
                counts.accepted(), counts.completed(), counts.failed(), counts.buffered(), counts.bufferedBytes());
    }

    /** Returns the rejected operations, on a thread that may wait for the disk. */
    default Mono<List<RejectedOperation>> rejectedAsync() {
        return Mono.fromCallable(this::rejected).subscribeOn(WaitingThreads.SHARED);
    }

    default Mono<Void> discardRejectedAsync(long id) {
        return Mono.<Void>fromRunnable(() -> discardRejected(id)).subscribeOn(WaitingThreads.SHARED);
    }

    /**
     * Turns what the application's code throws into an error of the subscription: Reactor does not deliver those that it takes for fatal.
     */
    static Mono<EncodedOperation> encoded(Supplier<EncodedOperation> operation) {
        try {
            return Mono.just(operation.get());
        } catch (Throwable refusal) {
            return Mono.error(UserCode.signal(refusal));
        }
    }

    static FlushReport report(FlushCounts counts) {
        return new FlushReport(counts.completed(), counts.failed());
    }

    /** Returns the failures whose results were not taken, which a close no longer reports. */
    default Optional<UncollectedFailuresException> takeFailures() {
        return batcher().takeFailures().map(WriterErrors::uncollected);
    }

    /** Flushes and waits for the end. */
    static FlushReport flushed(Batcher<?, ?, ?> batcher) {
        try {
            return report(batcher.flushAndWait());
        } catch (WaitInterruptedException e) {
            throw new StorageInterruptedException(
                    Objects.requireNonNull(e.getMessage()), new InterruptedException(), null);
        }
    }

    /** Returns the end of an item as the public result. */
    static <C> ItemResult<C, WriteResult> result(TaggedResult<C, WriteResult> end) {
        Throwable failure = end.failure().orElse(null);
        return new ItemResult<>(end.tag(), failure == null ? end.value() : null, failure);
    }
}
