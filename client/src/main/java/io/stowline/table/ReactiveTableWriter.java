package io.stowline.table;

import io.stowline.batching.FlushReport;
import io.stowline.table.internal.EncodedOperation;
import io.stowline.table.internal.Verb;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link TableWriter}. A subscription waits for room without a thread and then hands the operation over;
 * the result arrives on the callback threads. Cancelling before the operation is sent takes it back; afterwards only the
 * subscriber is gone. Under {@code flatMap} its concurrency is what fills the transactions.
 *
 * <p>Thread-safe.
 *
 * @param <T> the table's type
 */
public final class ReactiveTableWriter<T> {

    private final WriterCore<T> core;

    ReactiveTableWriter(WriterCore<T> core) {
        this.core = core;
    }

    /**
     * Hands over the making of an entity that must not be there yet.
     *
     * @param value the entity
     * @return what was written
     */
    public Mono<Written> insert(T value) {
        return write(() -> core.scope().encode(Verb.INSERT, value));
    }

    /**
     * Hands over the making of an entity, or the setting of its properties if it is there.
     *
     * @param value the entity
     * @return what was written
     */
    public Mono<Written> insertOrMerge(T value) {
        return write(() -> core.scope().encode(Verb.INSERT_OR_MERGE, value));
    }

    /**
     * Hands over the making of an entity, or the taking of its place if it is there.
     *
     * @param value the entity
     * @return what was written
     */
    public Mono<Written> insertOrReplace(T value) {
        return write(() -> core.scope().encode(Verb.INSERT_OR_REPLACE, value));
    }

    /**
     * Hands over the replacement of the version that was read.
     *
     * @param stored the new value with the ETag of that version
     * @return what was written
     */
    public Mono<Written> update(Stored<T> stored) {
        return write(() -> core.scope().encode(Verb.UPDATE, stored));
    }

    /**
     * Hands over the setting of properties on the version that was read.
     *
     * @param stored the properties to set with the ETag of that version
     * @return what was written
     */
    public Mono<Written> merge(Stored<T> stored) {
        return write(() -> core.scope().encode(Verb.MERGE, stored));
    }

    /**
     * Hands over the removal of the version that was read.
     *
     * @param stored the entity with the ETag of that version
     * @return what was written
     */
    public Mono<Written> delete(Stored<T> stored) {
        return write(() -> core.scope().encodeDelete(stored));
    }

    /**
     * Hands over the removal of an entity whatever its version.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return what was written
     */
    public Mono<Written> delete(String partitionKey, String rowKey) {
        return write(() -> core.scope().encodeDelete(partitionKey, rowKey));
    }

    private Mono<Written> write(Supplier<EncodedOperation> operation) {
        return Mono.defer(() -> core.write(operation.get()));
    }

    /**
     * Ends when everything that was accepted before the subscription has its result; see {@link TableWriter#flush}.
     *
     * @return how many of those operations succeeded and failed
     */
    public Mono<FlushReport> flush() {
        return Mono.defer(core::flush);
    }

    /**
     * What this writer has sent so far.
     *
     * @return the figures
     */
    public WriterFigures figures() {
        return core.figures();
    }

    /**
     * How many operations are accepted and have no result yet.
     *
     * @return the number
     */
    public int bufferedItems() {
        return core.batcher().bufferedItems();
    }

    /**
     * How many bytes these operations take on the wire.
     *
     * @return the number
     */
    public long bufferedBytes() {
        return core.batcher().bufferedBytes();
    }

    /**
     * Refuses new operations and sends what is held; see {@link TableWriter#close}.
     *
     * @return the end of it; an error if operations failed whose results nobody took
     */
    public Mono<Void> close() {
        return core.closeAsync();
    }
}
