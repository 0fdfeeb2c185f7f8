package io.stowline.records.internal.read;

import io.stowline.records.RecordStream.ReadBlob;
import java.util.List;

/**
 * Records one after the other, and the place where they are: what a {@link io.stowline.records.RecordStream} is made of. Used by one thread;
 * closing comes from any.
 *
 * @param <T> the records' type
 */
public interface RecordSequence<T> extends AutoCloseable {

    /**
     * Moves to the next record.
     *
     * @return false at the end, and once it is closed
     */
    boolean next();

    /** Returns the present record. */
    T record();

    /**
     * Returns the place of the reader.
     *
     * @param before whether the present record counts as not read
     * @throws IllegalStateException if it has none
     */
    ReadVector position(boolean before);

    /** Returns the blobs that have been read, the latest of them last. */
    List<ReadBlob> blobs();

    /** Ends it; the present call of {@link #next} returns false, or throws. */
    @Override
    void close();
}
