package io.stowline.records.internal.format;

import java.io.IOException;

/** The bytes of records, as they were before compression. Not thread-safe. */
interface RecordSource extends AutoCloseable {

    /**
     * Reads some bytes. A call that comes to a place where reading can begin returns none.
     *
     * @return how many; -1 at the end, also where the stored bytes are cut off
     * @throws IOException if they cannot be read, or are not in this form
     */
    int read(byte[] target, int from, int max) throws IOException;

    /**
     * Returns the place in the stored bytes at which another source can begin, to give what this one gives next.
     *
     * @return the offset, or -1 if none can begin here
     */
    long offset();

    /** Returns whether one can begin anywhere, since the bytes are stored as they are. */
    boolean plain();

    /** Returns how many stored bytes at the end are those of a part that is cut off. */
    long cutOff();

    @Override
    void close() throws IOException;
}
