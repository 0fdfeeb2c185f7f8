package io.stowline.records.internal.chunk;

import java.util.List;

/** The chunks of one writer, in memory or in a journal. Thread-safe. */
public interface ChunkStore extends AutoCloseable {

    /**
     * Opens the next chunk.
     *
     * @throws io.stowline.journal.JournalException if the disk refuses
     */
    OpenChunk open(ChunkName name);

    /** Returns the chunks that earlier processes and earlier writers have left, the oldest first, once. None of them is empty. */
    List<SealedChunk> found();

    /** Returns whether what it holds outlives the process. */
    boolean durable();

    /** Returns the largest number of bytes of all chunks together. */
    long maxBytes();

    /** Gives the journal back. Chunks that are left stay in it for its next writer; those of this store cannot be used any more. */
    @Override
    void close();
}
