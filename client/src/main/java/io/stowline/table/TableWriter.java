package io.stowline.table;

import io.stowline.error.StorageException;
import io.stowline.error.internal.PrintableText;
import io.stowline.outcome.WriteResult;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A writer that collects single operations into entity group transactions, each of one partition.
 *
 * <p>What it guarantees:
 *
 * <ul>
 *   <li>An operation is refused when it is handed over, with an exception, or accepted; accepted means exactly one result.
 *   <li>A transaction has at most 100 operations and 4 MiB, one partition, and no entity twice. A partition that is idle sends at
 *       once; while its transaction is in flight the next one fills. Operations on one entity keep their order; others do not.
 *   <li>An operation that the service refuses fails alone; its neighbours are sent again without it.
 *   <li>What it holds is bounded: 10,000 operations and 32 MiB by default. When that is full, a method waits for room up to the submit
 *       timeout and then throws {@link io.stowline.table.BufferFullException}; {@link #failingFast()} does not wait. One partition holds at
 *       most an eighth, so that a slow one does not block the others.
 *   <li>Conditional writes, and one entity of each transaction that could not be repeated otherwise, leave a marker,
 *       one property of about 60 bytes, as the table's {@link Table#withMarkers} sets it. If a response is lost, the
 *       result may take up to 35 s more, within the deadline, and the next write of the same entity waits as long.
 * </ul>
 *
 * <p>A crash of the process loses at most what {@link #bufferedItems()} and {@link #bufferedBytes()} show, and nothing that was accepted if
 * the writer has a {@linkplain Table#writer(WriterJournal, java.util.function.UnaryOperator) journal}: its methods wait for the disk,
 * {@code failFast} ones too. Thread-safe. The returned handles need not be kept: {@link #close()} throws when operations failed and no
 * caller took their results. Callbacks run on the callback threads, which may call this writer.
 *
 * @param <T> the table's type
 */
public interface TableWriter<T> extends AutoCloseable {

    /**
     * Returns the same writer without waiting: where there is no room its methods throw at once.
     *
     * @return a view of this writer; closing either closes both
     */
    TableWriter<T> failingFast();

    /**
     * Returns the non-blocking face of this writer.
     *
     * @return a view of this writer; closing either closes both
     */
    ReactiveTableWriter<T> reactive();

    /**
     * Returns this writer for rows of another type in the same table. Rows of all types fill the same transactions, within the same bounds and
     * with the settings of the table that opened the writer.
     *
     * @param table a holder of the same table, made by the same client
     * @param <R> the type of that holder
     * @return a view of this writer; closing either closes both
     * @throws IllegalArgumentException if it is a holder of another table, or of another client
     */
    <R> TableWriter<R> in(Table<R> table);

    /**
     * Returns this writer for rows of another type in the same table, with their index rows. An {@link IndexedTable} must have opened the
     * writer.
     *
     * @param table an indexed holder of the same table, made by the same client
     * @param <R> the type of that holder
     * @return a view of this writer; closing either closes both
     * @throws IllegalArgumentException if it is a holder of another table, or of another client, or if this writer keeps no index rows
     */
    <R> TableWriter<R> in(IndexedTable<R> table);

    /**
     * Submits an insert of an entity that must not exist yet.
     *
     * @param value the entity
     * @return the handle of the operation
     */
    Submission<WriteResult> insert(T value);

    /**
     * Submits an upsert that inserts the entity, or sets its properties if it exists.
     *
     * @param value the entity
     * @return the handle of the operation
     */
    Submission<WriteResult> insertOrMerge(T value);

    /**
     * Submits an upsert that inserts the entity, or replaces it if it exists.
     *
     * @param value the entity
     * @return the handle of the operation
     */
    Submission<WriteResult> insertOrReplace(T value);

    /**
     * Submits a replacement of the version that was read.
     *
     * @param stored the new value with the ETag of that version
     * @return the handle of the operation
     */
    Submission<WriteResult> replace(StoredEntity<T> stored);

    /**
     * Submits a merge that sets properties on the version that was read.
     *
     * @param stored the properties to set with the ETag of that version
     * @return the handle of the operation
     */
    Submission<WriteResult> merge(StoredEntity<T> stored);

    /**
     * Submits a deletion of the version that was read.
     *
     * @param stored the entity with the ETag of that version
     * @return the handle of the operation
     */
    Submission<WriteResult> delete(StoredEntity<T> stored);

    /**
     * Submits a deletion of the entity that has the keys of a value, whatever its version.
     *
     * @param value the entity, of which only the keys count
     * @return the handle of the operation
     */
    Submission<WriteResult> delete(T value);

    /**
     * Submits a deletion of an entity, whatever its version.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return the handle of the operation
     */
    Submission<WriteResult> delete(String partitionKey, String rowKey);

    /**
     * Waits until everything that was accepted before this call has its result. Operations accepted after that are not waited for.
     *
     * <p>Callbacks are not waited for: those of {@link Submission#whenComplete}, and what follows a future or a {@code Mono} of a
     * submission, run on the callback threads and may still be to come. {@link Submission#await()} returns at once for each operation of
     * this flush, so that a program that needs the results takes them by it.
     *
     * @return how many of those operations succeeded and failed
     */
    FlushReport flush();

    /**
     * Waits until all operations that an earlier process has left in this writer's journal have their results.
     *
     * @return what became of them; of a writer without a journal, nothing
     */
    ReplayReport awaitReplay();

    /**
     * Returns the operations that the service has refused for good, of this writer and of earlier ones with the same journal, until they
     * are {@linkplain #discardRejected discarded}. Of a writer without a journal there are none.
     *
     * @return the operations as they are now, the oldest first
     * @throws io.stowline.journal.JournalException if the journal cannot be read
     */
    List<RejectedOperation> rejected();

    /**
     * Takes an operation from the rejected ones.
     *
     * @param id its id
     * @throws io.stowline.journal.JournalException if the journal cannot be written
     */
    void discardRejected(long id);

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
    Stats stats();

    /**
     * Returns how far this writer is: the operations since it was opened, by their ends, in one consistent reading.
     *
     * @return the numbers, those of all views of this writer together
     */
    WriteProgress progress();

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
     * Refuses new operations, sends the buffered operations, and waits for them until the close timeout (2 minutes by default); what is left then
     * fails. May be called again, and in a callback, where it does not wait.
     *
     * @throws UncollectedFailuresException if operations failed whose results were not taken: the first 1,000, as far as they fit into
     *     an eighth of the buffer, with their causes, and the numbers by kind
     */
    @Override
    void close();

    /**
     * The report of a replay: how the operations ended that an earlier process had left in a writer's journal.
     *
     * @param done those that were carried out now
     * @param recovered those that the earlier process had carried out already, as their markers or contents show, and deletions that found
     *     nothing to delete
     * @param failed those that the service refused; each is logged
     * @param unknown those with an unknown outcome; each is logged
     * @param left those that are still in the journal, for the next writer: the writer was closed or broke before they had a result
     */
    record ReplayReport(long done, long recovered, long failed, long unknown, long left) {

        /** Makes the report of a writer that found nothing. */
        /**
         * Returns how many operations there were.
         *
         * @return the sum of all
         */
        public long total() {
            return done + recovered + failed + unknown + left;
        }
    }

    /**
     * An operation that a writer with a journal accepted and the service refused for good.
     *
     * @param id its record in the journal
     * @param verb what it was to do, such as {@code insertOrReplace}
     * @param partitionKey the entity's partition
     * @param rowKey the entity's key there
     * @param ifMatch the version that it was for, or {@code null} if it is not bound to one
     * @param json the properties as they were sent; empty for a deletion
     * @param accepted when it was accepted, by the machine's clock
     * @param rejected when it was refused, by the machine's clock
     * @param reason why, in one line
     */
    record RejectedOperation(
            long id,
            String verb,
            String partitionKey,
            String rowKey,
            @Nullable String ifMatch,
            String json,
            Instant accepted,
            Instant rejected,
            String reason) {

        /**
         * Checks that everything that is always known is there.
         *
         * @param id its record in the journal
         * @param verb what it was to do
         * @param partitionKey the entity's partition
         * @param rowKey the entity's key there
         * @param ifMatch the version that it was for, or {@code null}
         * @param json the properties as they were sent
         * @param accepted when it was accepted
         * @param rejected when it was refused
         * @param reason why
         */
        public RejectedOperation {
            Objects.requireNonNull(verb, "verb");
            Objects.requireNonNull(partitionKey, "partitionKey");
            Objects.requireNonNull(rowKey, "rowKey");
            Objects.requireNonNull(json, "json");
            Objects.requireNonNull(accepted, "accepted");
            Objects.requireNonNull(rejected, "rejected");
            Objects.requireNonNull(reason, "reason");
        }

        @Override
        public String toString() {
            return PrintableText.of("RejectedOperation[id=" + id + ", verb=" + verb + ", partitionKey=" + partitionKey
                    + ", rowKey=" + rowKey + ", ifMatch=" + ifMatch + ", json=" + json + ", accepted=" + accepted
                    + ", rejected=" + rejected + ", reason=" + reason + "]");
        }
    }

    /**
     * The progress of a writer since it was opened. What an earlier process has left in its journal counts as accepted when it is sent again.
     * Immutable.
     *
     * @param accepted the operations that were accepted; those that were cancelled before they were sent are in no other number
     * @param succeeded those that the service applied
     * @param failed those that failed
     * @param buffered those that have no result yet
     * @param bufferedBytes how many bytes those without a result take on the wire
     */
    record WriteProgress(long accepted, long succeeded, long failed, long buffered, long bufferedBytes) {}

    /**
     * The statistics of a writer. They are read one after the other while the writer works, so they need not agree to the last operation.
     *
     * @param operations the operations that were sent and got a response, whatever it was
     * @param requests the HTTP requests that carried them, retries included
     * @param retries how many of the requests were retries
     * @param throttles how many of the requests the service throttled
     */
    record Stats(long operations, long requests, long retries, long throttles) {}
}
