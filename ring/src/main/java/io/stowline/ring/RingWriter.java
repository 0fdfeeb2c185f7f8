package io.stowline.ring;

import io.stowline.outcome.WriteResult;
import io.stowline.table.FlushReport;
import io.stowline.table.StoredEntity;
import io.stowline.table.Submission;
import io.stowline.table.TableWriter;
import io.stowline.table.UncollectedFailuresException;
import java.util.List;

/**
 * A writer over all accounts of a region: one {@link TableWriter} for each of them behind one door. An operation goes to the writer of the
 * account of its partition, with its guarantees. An account that throttles or fails fills its own buffer only.
 *
 * <p>Thread-safe.
 *
 * @param <T> the table's type
 */
public interface RingWriter<T> extends AutoCloseable {

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
     * Waits until everything that was accepted before this call has its result, in all accounts.
     *
     * @return how many of those operations succeeded and failed, of all accounts together
     */
    FlushReport flush();

    /**
     * Returns the statistics of the writers of all accounts together.
     *
     * @return the sums
     */
    TableWriter.Stats stats();

    /**
     * Returns how far the writers of all accounts are together.
     *
     * @return the sums
     */
    TableWriter.WriteProgress progress();

    /**
     * Returns the failures whose results were not taken so far, and forgets them: {@link #close()} no longer reports them.
     *
     * @return the failures, one exception for each account that has some; each names its account
     */
    List<UncollectedFailuresException> takeFailures();

    /**
     * Refuses new operations, sends the buffered ones, and waits for them as {@link TableWriter#close} does, in all accounts at once. May be
     * called again.
     *
     * @throws UncollectedFailuresException if operations of an account failed whose results were not taken; those of other accounts are
     *     suppressed in it
     */
    @Override
    void close();
}
