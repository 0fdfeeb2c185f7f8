package io.stowline.table.internal.format;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A splitter of a table file into rows, which reads it once and holds one row. Not thread-safe. */
final class RowSplitter {

    /** An entity of 1 MiB whose characters are all escaped has six times as much. */
    private static final int MAX_ROW = 16 << 20;

    private static final int END = -1;

    /** The form of the rows in a file. */
    enum RowForm {
        /** One JSON object in each line. */
        LINES,
        /** JSON objects in one array. */
        ARRAY,
        /** Records with commas, quoted fields of which may go over several lines. */
        RECORDS
    }

    private final InputStream in;
    private final RowForm form;
    private final byte[] buffer = new byte[64 << 10];
    private final ByteArrayOutputStream row = new ByteArrayOutputStream();
    private int at;
    private int end;
    private long line = 1;

    RowSplitter(InputStream in, RowForm form) {
        this.in = in;
        this.form = form;
    }

    /**
     * Returns the next row.
     *
     * @return the row; {@code null} at the end
     * @throws IOException if it cannot be read, or has no end
     */
    @Nullable
    FileRow next() throws IOException {
        return form == RowForm.ARRAY ? object() : line();
    }

    private @Nullable FileRow line() throws IOException {
        row.reset();
        long began = line;
        boolean quoted = false;
        while (hasMore()) {
            int from = at;
            boolean ended = false;
            while (at < end && !ended) {
                byte c = buffer[at++];
                if (c == '"') {
                    quoted = form == RowForm.RECORDS && !quoted;
                } else if (c == '\n') {
                    line++;
                    ended = !quoted;
                }
            }
            row.write(buffer, from, (ended ? at - 1 : at) - from);
            checkLength(began);
            if (ended) {
                if (length() > 0) {
                    return new FileRow(began, withoutReturn());
                }
                row.reset();
                began = line;
            }
        }
        return length() > 0 ? new FileRow(began, withoutReturn()) : null;
    }

    /** The length without a carriage return. */
    private int length() {
        return row.size() == 1 && row.toByteArray()[0] == '\r' ? 0 : row.size();
    }

    private byte[] withoutReturn() {
        byte[] text = row.toByteArray();
        return text[text.length - 1] == '\r' ? Arrays.copyOf(text, text.length - 1) : text;
    }

    private @Nullable FileRow object() throws IOException {
        row.reset();
        int depth = 0;
        boolean text = false;
        boolean escaped = false;
        long began = line;
        for (int c = read(); c != END; c = read()) {
            if (depth == 0 && c != '{') {
                began = line;
                continue;
            }
            add(c == '\n' || c == '\r' ? ' ' : c, began);
            if (text) {
                text = escaped || c != '"';
                escaped = !escaped && c == '\\';
            } else if (c == '"') {
                text = true;
            } else if (c == '{') {
                depth++;
            } else if (c == '}' && --depth == 0) {
                return new FileRow(began, row.toByteArray());
            }
        }
        if (depth > 0) {
            throw new IOException("the row of line " + began + " has no end: the file is not complete");
        }
        return null;
    }

    private void add(int c, long began) throws IOException {
        row.write(c);
        checkLength(began);
    }

    private void checkLength(long began) throws IOException {
        if (row.size() > MAX_ROW) {
            throw new IOException("the row of line " + began + " is longer than " + MAX_ROW + " bytes");
        }
    }

    private int read() throws IOException {
        if (!hasMore()) {
            return END;
        }
        int c = buffer[at++] & 0xFF;
        if (c == '\n') {
            line++;
        }
        return c;
    }

    private boolean hasMore() throws IOException {
        if (at == end) {
            at = 0;
            end = Math.max(0, in.read(buffer));
        }
        return at < end;
    }
}
