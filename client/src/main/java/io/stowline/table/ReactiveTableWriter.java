package io.stowline.table;

import io.stowline.error.StorageException;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.table.TableWriter.RejectedOperation;
import io.stowline.table.TableWriter.ReplayReport;
import java.util.List;
import java.util.Optional;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
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
public interface ReactiveTableWriter<T> {

    /**
     * Returns this writer for rows of another type in the same table. Rows of all types fill the same transactions, within the same bounds and
     * with the settings of the table that opened the writer.
     *
     * @param table a holder of the same table, made by the same client
     * @param <R> the type of that holder
     * @return a view of this writer; closing either closes both
     * @throws IllegalArgumentException if it is a holder of another table, or of another client
     */
    <R> ReactiveTableWriter<R> in(ReactiveTable<R> table);

    /**
     * Returns this writer for rows of another type in the same table, with their index rows. An {@link ReactiveIndexedTable} must have opened the
     * writer.
     *
     * @param table an indexed holder of the same table, made by the same client
     * @param <R> the type of that holder
     * @return a view of this writer; closing either closes both
     * @throws IllegalArgumentException if it is a holder of another table, or of another client, or if this writer keeps no index rows
     */
    <R> ReactiveTableWriter<R> in(ReactiveIndexedTable<R> table);

    /**
     * Submits an insert of an entity that must not exist yet.
     *
     * @param value the entity
     * @return what was written
     */
    Mono<WriteResult> insert(T value);

    /**
     * Submits an upsert that inserts the entity, or sets its properties if it exists.
     *
     * @param value the entity
     * @return what was written
     */
    Mono<WriteResult> insertOrMerge(T value);

    /**
     * Submits an upsert that inserts the entity, or replaces it if it exists.
     *
     * @param value the entity
     * @return what was written
     */
    Mono<WriteResult> insertOrReplace(T value);

    /**
     * Submits a replacement of the version that was read.
     *
     * @param stored the new value with the ETag of that version
     * @return what was written
     */
    Mono<WriteResult> replace(StoredEntity<T> stored);

    /**
     * Submits a merge that sets properties on the version that was read.
     *
     * @param stored the properties to set with the ETag of that version
     * @return what was written
     */
    Mono<WriteResult> merge(StoredEntity<T> stored);

    /**
     * Submits a deletion of the version that was read.
     *
     * @param stored the entity with the ETag of that version
     * @return what was written
     */
    Mono<WriteResult> delete(StoredEntity<T> stored);

    /**
     * Submits a deletion of the entity that has the keys of a value, whatever its version.
     *
     * @param value the entity, of which only the keys count
     * @return what was written
     */
    Mono<WriteResult> delete(T value);

    /**
     * Submits a deletion of an entity, whatever its version.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return what was written
     */
    Mono<WriteResult> delete(String partitionKey, String rowKey);

    /**
     * Submits the operations of a publisher, and emits one result for each of them in the order in which they end:
     *
     * <pre>{@code
     * writer.reactive()
     *         .write(Flux.fromIterable(source).map(runner -> TableOperation.insertOrReplace(runner).with(runner.bib())))
     *         .filter(end -> !end.succeeded())
     *         .doOnNext(failed -> log.warn("{} failed", failed.item(), failed.error()))
     *         .blockLast();
     * }</pre>
     *
     * <ul>
     *   <li>It starts at the first request. It requests at most 1,024 operations (or the buffer's size when that is less) beyond the
     *       delivered results. Operations wait for room without a thread, results until they are requested.
     *   <li>An operation that is refused or fails is a result and not the end. An error of the publisher comes after the results of
     *       what it gave before.
     *   <li>Cancelling cancels the publisher and takes back what is not sent; what is in flight goes on, and its result is dropped.
     *   <li>Results are delivered, and more operations are requested, on the callback threads.
     * </ul>
     *
     * @param operations the operations
     * @param <C> the type of their contexts
     * @return their results; every failure among them counts as taken
     */
    <C> Flux<ItemResult<C, WriteResult>> write(Publisher<? extends TableOperation<T, C>> operations);

    /**
     * Ends when everything that was accepted before the subscription has its result; see {@link TableWriter#flush}. The {@code Mono}s of
     * single operations may signal their results later than this end.
     *
     * @return how many of those operations succeeded and failed
     */
    Mono<FlushReport> flush();

    /**
     * Ends when all operations that an earlier process has left in this writer's journal have their results.
     *
     * @return what became of them; of a writer without a journal, nothing
     */
    Mono<ReplayReport> awaitReplay();

    /**
     * Returns the operations that the service has refused for good; see {@link TableWriter#rejected}.
     *
     * @return the operations as they are on subscription, the oldest first
     */
    Mono<List<RejectedOperation>> rejected();

    /**
     * Takes an operation from the rejected ones.
     *
     * @param id its id
     * @return the end of it
     */
    Mono<Void> discardRejected(long id);

    /**
     * Returns why a writer with a journal sends nothing at present: the service refuses whatever it sends, with 401 or 403 or because the
     * table is missing. Nothing is lost; it probes by itself and goes on.
     *
     * @return the refusal; nothing if the writer is not paused, or has no journal
     */
    Optional<StorageException> pausedBy();

    /**
     * Returns the statistics of this writer.
     *
     * @return the figures
     */
    TableWriter.Stats stats();

    /**
     * Returns how far this writer is; see {@link TableWriter#progress}.
     *
     * @return the numbers
     */
    TableWriter.WriteProgress progress();

    /**
     * Returns how many operations are accepted and have no result yet.
     *
     * @return the number
     */
    int bufferedItems();

    /**
     * Returns how many bytes these operations take on the wire.
     *
     * @return the number
     */
    long bufferedBytes();

    /**
     * Returns how many operations have a result that waits for its callbacks. They take room in the buffer until the callbacks have run.
     *
     * @return the number
     */
    int undeliveredItems();

    /**
     * Returns the failures whose results were not taken so far, and forgets them: {@link #close()} no longer reports them. For a
     * writer that lives as long as its application.
     *
     * @return the failures, or empty when there are none
     */
    Optional<UncollectedFailuresException> takeFailures();

    /**
     * Refuses new operations and sends the buffered operations; see {@link TableWriter#close}.
     *
     * @return the end of it; an error if operations failed and no caller took their results
     */
    Mono<Void> close();
}
