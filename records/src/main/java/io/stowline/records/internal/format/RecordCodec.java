package io.stowline.records.internal.format;

import java.io.IOException;
import java.io.InputStream;

/**
 * The bytes of records in a blob: what a {@link io.stowline.records.RecordFormat} is made of. Thread-safe.
 *
 * @param <T> the records' type
 */
public interface RecordCodec<T> {

    /**
     * Encodes a record with all that separates it from the next one.
     *
     * @throws IllegalArgumentException if the format cannot have it
     */
    byte[] encode(T record);

    /**
     * Returns the bytes of a blob, or of a part of one, from encoded records. The same records give the same bytes.
     *
     * @param records encoded records, one behind the other
     * @param first whether they are at the begin of the blob, where a header stands
     */
    byte[] seal(byte[] records, boolean first);

    /**
     * Reads the records of a blob.
     *
     * @param blob its bytes, closed with the cursor
     * @param begin whether they begin with the blob, or with a later part of it: at a {@link RecordCursor#resumeOffset}
     */
    RecordCursor<T> read(InputStream blob, boolean begin);

    /** Returns the ending of blob names, such as {@code .jsonl.gz}. */
    String suffix();

    /** Returns the media type of the blobs. */
    String contentType();

    /**
     * The records of a blob, one after the other. Not thread-safe.
     *
     * @param <T> the records' type
     */
    interface RecordCursor<T> extends AutoCloseable {

        /**
         * Moves to the next record.
         *
         * @return false at the end, also where the last record is cut off
         * @throws IOException if the bytes cannot be read, or are not of this format
         */
        boolean next() throws IOException;

        /**
         * Decodes the record.
         *
         * @throws IOException if its bytes are not of this format
         */
        T record() throws IOException;

        /** Returns how many bytes at the end are those of a record, or of a gzip member, that is cut off. */
        long cutOff();

        /**
         * Returns where another cursor can begin, which then has to pass over {@link #recordsSince} records to stand behind the present one.
         * Bytes that are cut off are behind it.
         *
         * @return the offset in the bytes of this cursor; 0 where the other one has to begin as this one did
         */
        long resumeOffset();

        /** Returns the number of records from {@link #resumeOffset} to the present one, which is counted. */
        long recordsSince();

        @Override
        void close() throws IOException;
    }
}
