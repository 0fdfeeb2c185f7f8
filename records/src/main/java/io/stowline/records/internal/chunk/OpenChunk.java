package io.stowline.records.internal.chunk;

/**
 * A chunk that takes records. {@link #write} and {@link #seal} are called by one thread at a time, {@link #force} by many.
 */
public interface OpenChunk {

    ChunkName name();

    /**
     * Adds an encoded record behind those before it.
     *
     * @param record the bytes as they will stand in the blob; they must not be changed afterwards
     * @return a mark for {@link #force}
     * @throws io.stowline.journal.JournalException if the disk refuses; the record is not there, and the chunk takes further ones unless it
     *     {@link #isBroken}
     */
    long write(byte[] record);

    /**
     * Waits until the record of a mark survives what it is to survive; records that are written at the same time share one wait. Returns at
     * once where the write itself is enough.
     *
     * @throws io.stowline.journal.JournalException if the disk refuses; the record is not there, nor is any later one, and the chunk
     *     {@link #isBroken}
     */
    void force(long mark);

    /** Returns whether it takes no further record, after an error of the disk that could not be undone; it can be sealed all the same. */
    boolean isBroken();

    /** Returns the number of its records. */
    int records();

    /** Returns the bytes of its records. */
    long bytes();

    /**
     * Ends the chunk on disk, and returns what is sent. It forces what is not forced, so that a later {@link #force} of any mark returns or
     * throws at once. A chunk whose disk refuses the end is returned all the same, without the records whose force throws.
     */
    SealedChunk seal();
}
