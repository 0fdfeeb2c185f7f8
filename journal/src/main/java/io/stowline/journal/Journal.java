package io.stowline.journal;

import io.stowline.journal.internal.store.RecordJournal;
import java.nio.file.Path;
import java.util.List;

/**
 * A journal: a folder of records that outlive the process until they are done.
 *
 * <ul>
 *   <li>What a journaled writer has accepted is a record on disk: from then on every later opening of the folder finds it, until it has its
 *       result. What is accepted at the same time shares one commit.
 *   <li>It keeps operations of a table in a store of records, and records for blobs in streams, one file for each chunk.
 *   <li>A record is found whole or not at all. Torn or damaged records are logged and listed by {@link #recoveryWarnings}.
 *   <li>What is done is forgotten a little later, so that after the end of the process some of it may be found once more.
 *   <li>The records that are not done are bounded in bytes, by {@link JournalSettings.Builder#maxBytes}; beyond it the writer refuses.
 *   <li>One process at a time has the folder, and one writer at a time the journal; the folder keeps whom its records are for.
 * </ul>
 *
 * <p>Records are stored as they are given, unencrypted. Thread-safe; the commits of operations are done on one daemon thread. {@link #open} makes the only
 * instances: a writer takes no other implementation.
 */
public interface Journal extends AutoCloseable {

    /**
     * Opens a folder with the default settings.
     *
     * @param folder the folder, made if it is not there
     * @return the journal; close it
     * @throws JournalException if the folder is in use or cannot be read
     */
    static Journal open(Path folder) {
        return RecordJournal.open(folder);
    }

    /**
     * Opens a folder.
     *
     * @param folder the folder, made if it is not there
     * @param settings how records are kept
     * @return the journal; close it
     * @throws JournalException if the folder is in use or cannot be read
     */
    static Journal open(Path folder, JournalSettings settings) {
        return RecordJournal.open(folder, settings);
    }

    /**
     * Returns how many records are not done. Those of earlier processes all count until a writer has read them.
     *
     * @return the number of records
     */
    int outstandingRecords();

    /**
     * Returns how many bytes the records have that are not done.
     *
     * @return the number of bytes
     */
    long outstandingBytes();

    /**
     * Returns how many records were refused for good and not discarded since. At most 10,000 operations and 64 MiB of them are kept, and 64
     * MiB of chunks; beyond it the oldest give way, which is logged and counted by {@link #droppedRejections}.
     *
     * @return the number of records
     */
    int rejectedRecords();

    /**
     * Returns how many rejected records gave way to newer ones since the journal was opened.
     *
     * @return the number of records
     */
    long droppedRejections();

    /**
     * Returns what was found to be torn or damaged since the journal was opened.
     *
     * @return a line for each finding; none if all was well
     */
    List<String> recoveryWarnings();

    /**
     * Returns the folder.
     *
     * @return its real path
     */
    Path folder();

    /**
     * Returns the settings.
     *
     * @return the settings
     */
    JournalSettings settings();

    /** Writes what was accepted and done, and gives the folder back. Refuses everything afterwards; may be called again. */
    @Override
    void close();
}
