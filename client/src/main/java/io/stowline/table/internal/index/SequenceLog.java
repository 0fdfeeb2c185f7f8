package io.stowline.table.internal.index;

import io.stowline.outcome.WriteResult;
import io.stowline.table.internal.index.TableIndex.IndexKey;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The log of one operation of a writer with a journal: its steps report to it, and it knows of the tries before. Thread-safe. */
public interface SequenceLog<T> {

    /** Carries the operation out by these writes until it has an end that another try would not change. */
    Mono<WriteResult> carriedOut(IndexedWrites<T> writes);

    /** Returns the references that earlier tries have found to be lost by the entity, and may have left. */
    Set<IndexKey> formerReferences();

    /** Keeps the references that the entity loses, before it is written. */
    Mono<Void> losing(List<IndexKey> references);

    /** Takes note that the entity is written, and only references are left to do. */
    void written(WriteResult result);

    /**
     * Takes the end of the operation in its lane; called under the lock of the engine.
     *
     * @param failure why it failed, or {@code null} if it succeeded
     */
    void ended(@Nullable Throwable failure);
}
