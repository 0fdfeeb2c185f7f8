package io.stowline.table.internal.transfer;

import io.stowline.table.Entity;
import java.io.IOException;
import java.util.Map;

/** The end of one part of a scan: a file of an export, or writes to another table. For one thread. */
interface PartSink extends AutoCloseable {

    /** Takes an entity. */
    void row(Entity entity) throws IOException;

    /** Returns whether what was taken is to be made durable before the next row, however few rows it is. */
    boolean isDue();

    /**
     * Makes all that was taken durable.
     *
     * @return the properties by which a sink goes on from here
     */
    Map<String, Object> flush() throws IOException;

    @Override
    void close() throws IOException;
}
