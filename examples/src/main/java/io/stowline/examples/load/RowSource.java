package io.stowline.examples.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A reader of the rows of an input, one at a time, in memory that does not depend on its size. Used by one thread. */
public abstract class RowSource implements AutoCloseable {

    private final InputFile input;
    private final InputMeter meter;
    private final List<String> columns;
    private long number;
    private boolean ended;

    RowSource(InputFile input, InputMeter meter, List<String> columns) {
        this.input = input;
        this.meter = meter;
        this.columns = columns;
    }

    /**
     * Reads the next row. A row that cannot be understood has a problem; the rows after it can be read.
     *
     * @return the row, or null at the end
     * @throws IOException if the rest of the input cannot be read
     */
    public final @Nullable InputRow next() throws IOException {
        if (ended || number == input.limit()) {
            return null;
        }
        meter.rowBegins();
        try {
            InputRow row = read(number + 1);
            ended = row == null;
            number += ended ? 0 : 1;
            return row;
        } catch (UncheckedIOException e) {
            throw input.unreadable(number, Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw input.unreadable(number, e);
        }
    }

    /** Reads the row of this number, or returns null at the end. */
    abstract @Nullable InputRow read(long next) throws IOException;

    /**
     * Returns the columns that every row has.
     *
     * @return their names, in their order; none if each row names its columns, as in JSON
     */
    public final List<String> columns() {
        return columns;
    }

    /** Returns true if values come with their types, as in JSON, rather than as bare text. */
    final boolean typed() {
        return columns.isEmpty();
    }

    final long bytesRead() {
        return meter.bytesRead();
    }

    @Override
    public abstract void close() throws IOException;
}
