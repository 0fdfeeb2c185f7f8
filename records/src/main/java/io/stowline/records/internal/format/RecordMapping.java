package io.stowline.records.internal.format;

import java.io.IOException;

/**
 * The mapping of a record to its content, and back. Thread-safe.
 *
 * @param <T> the records' type
 */
interface RecordMapping<T> {

    /**
     * Encodes a record, without what separates it from the next one.
     *
     * @throws IllegalArgumentException if the format cannot have it
     */
    byte[] encode(T record);

    /**
     * Decodes a part of an array.
     *
     * @throws IOException if it is no such record
     */
    T decode(byte[] bytes, int from, int to) throws IOException;
}
