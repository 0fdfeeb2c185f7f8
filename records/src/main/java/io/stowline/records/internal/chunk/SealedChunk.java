package io.stowline.records.internal.chunk;

import org.jspecify.annotations.Nullable;

/**
 * A chunk that takes no more records and waits for its delivery, by this process or a later one. Used by one thread at a time. A chunk of an
 * earlier process whose file was damaged has the records that are intact, so that its seal may be that of more records.
 */
public interface SealedChunk {

    ChunkName name();

    /** Returns the number of its records. */
    int records();

    /** Returns the bytes of its records. */
    long bytes();

    /**
     * Reads its records, one behind the other.
     *
     * @throws io.stowline.journal.JournalException if the disk refuses; a later try may succeed
     * @throws DamagedChunkException if the file is gone or no longer holds what was written; no later try succeeds
     */
    byte[] content();

    /** Returns the seal, or null before the first one. */
    @Nullable
    ChunkSeal seal();

    /**
     * Keeps the seal, on disk before this method returns where the chunk is on disk. A later seal replaces an earlier one.
     *
     * @throws io.stowline.journal.JournalException if the disk refuses; then the seal before it counts, and a later try may succeed
     * @throws DamagedChunkException if the file is gone; no later try succeeds
     */
    void seal(ChunkSeal seal);

    /**
     * Forgets the chunk: its records are in their blob. Where the disk keeps the file all the same, the next process finds the chunk again,
     * with its seal.
     */
    void delivered();

    /**
     * Takes the chunk out of the way: its records cannot get into a blob. One on disk is kept beside the others, with the reason.
     *
     * @param reason why, in one line
     */
    void rejected(String reason);
}
