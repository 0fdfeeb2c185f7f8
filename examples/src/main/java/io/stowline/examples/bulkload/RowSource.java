package io.stowline.examples.bulkload;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of an input, one at a time, in memory that does not depend on its size. Used by one thread. */
interface RowSource extends AutoCloseable {

    /**
     * Reads the next row. A row that cannot be understood has a problem; the rows after it can be read.
     *
     * @return the row, or null at the end
     * @throws IOException if the rest of the input cannot be read
     */
    @Nullable
    InputRow next() throws IOException;

    /** The columns that every row has, in their order; none if each row names its own. */
    List<String> columns();

    /** Whether values come with their types, as in JSON, rather than as bare text. */
    boolean typed();

    /** How many bytes of the input are read. */
    long bytesRead();

    @Override
    void close() throws IOException;
}
