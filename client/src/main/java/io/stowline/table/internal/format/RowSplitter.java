package io.stowline.table.internal.format;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A splitter of a table file into rows, which reads it once and holds one row, of one that is too long its beginning. Not thread-safe. */
final class RowSplitter {

    /**
     * More than any entity of the service takes: a character counts two bytes of its 1 MiB and takes at the most six in JSON. Between an
     * entity and a row of this length are white space and annotations.
     */
    static final int MAX_ROW = 4 << 20;

    /** The bytes of a row that is too long, for its report. */
    private static final int KEPT = 1 << 10;

    private static final int END = -1;

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long LINE_FEEDS = '\n' * ONES;
    private static final long CARRIAGE_RETURNS = '\r' * ONES;

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
    private final RowBytes row = new RowBytes();
    private final QuotedFields quotes = new QuotedFields();
    private ByteArrayInputStream again = new ByteArrayInputStream(new byte[0]);
    private long length;
    private int at;
    private int end;
    private long line = 1;
    private boolean closed;

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
        FileRow whole = form == RowForm.LINES ? inBuffer() : null;
        if (whole != null) {
            return whole;
        }
        return form == RowForm.ARRAY ? object() : line();
    }

    /** Returns a line that is whole in the buffer and ends with a line feed alone, as most do; {@code null} for any other one. */
    private @Nullable FileRow inBuffer() {
        int ending = lineEnd(buffer, at, end);
        if (ending == at || ending == end || buffer[ending] != '\n') {
            return null;
        }
        FileRow found = new FileRow(line++, Arrays.copyOfRange(buffer, at, ending));
        at = ending + 1;
        return found;
    }

    /** Returns where the next line feed or carriage return is. A byte of eight keeps its high bit if it is the first that is one. */
    private static int lineEnd(byte[] bytes, int from, int to) {
        int i = from;
        for (; i + Long.BYTES <= to; i += Long.BYTES) {
            long eight = (long) EIGHT.get(bytes, i);
            long feeds = eight ^ LINE_FEEDS;
            long returns = eight ^ CARRIAGE_RETURNS;
            long ends = (((feeds - ONES) & ~feeds) | ((returns - ONES) & ~returns)) & HIGH_BITS;
            if (ends != 0) {
                return i + Long.numberOfTrailingZeros(ends) / Byte.SIZE;
            }
        }
        while (i < to && bytes[i] != '\n' && bytes[i] != '\r') {
            i++;
        }
        return i;
    }

    /**
     * A row ends with any line end, a carriage return alone included; a quoted field of a record may hold each of them. A quote that is not closed
     * in the file, nor within the length of a row, ends with its line: a missing quote must not take the rows behind it.
     */
    private @Nullable FileRow line() throws IOException {
        begin();
        long began = line;
        while (hasMore()) {
            int from = at;
            boolean ended = form == RowForm.RECORDS ? passRecord() : passLine();
            int count = (ended ? at - 1 : at) - from;
            boolean tooLong = !ended && quotes.goesOverLines() && length + count > MAX_ROW;
            add(from, count, tooLong);
            if (tooLong) {
                return firstLine(began);
            }
            if (ended) {
                passLineFeed(buffer[at - 1]);
                if (row.size() > 0) {
                    return row(began);
                }
                began = line;
            }
        }
        return quotes.goesOverLines() ? firstLine(began) : row.size() > 0 ? row(began) : null;
    }

    private boolean passLine() {
        int ending = lineEnd(buffer, at, end);
        boolean ended = ending < end;
        at = ended ? ending + 1 : end;
        line += ended ? 1 : 0;
        return ended;
    }

    /** Passes the bytes in the buffer up to the end of a record; beyond the length of a row the first line end ends it, quotes or not. */
    private boolean passRecord() {
        long before = length - at;
        while (at < end) {
            byte c = buffer[at++];
            if (c != '\n' && c != '\r') {
                quotes.pass(c);
                continue;
            }
            long position = before + at - 1;
            if (!quotes.isOpen() || (!quotes.goesOverLines() && position > MAX_ROW)) {
                quotes.begin();
                line++;
                return true;
            }
            quotes.lineEnd(position, line);
            line += c == '\n' ? 1 : 0;
        }
        return false;
    }

    /** Returns the line of an open quote as a row; the lines behind it are read again. */
    private FileRow firstLine(long began) {
        byte[] read = row.toByteArray();
        int to = quotes.firstEnd();
        int behind = read[to] == '\r' && to + 1 < read.length && read[to + 1] == '\n' ? to + 2 : to + 1;
        byte[] rest = again.readAllBytes();
        byte[] all = Arrays.copyOfRange(read, behind, read.length + end - at + rest.length);
        System.arraycopy(buffer, at, all, read.length - behind, end - at);
        System.arraycopy(rest, 0, all, all.length - rest.length, rest.length);
        again = new ByteArrayInputStream(all);
        at = 0;
        end = 0;
        line = quotes.lineBehind();
        quotes.begin();
        return new FileRow(began, Arrays.copyOf(read, to));
    }

    private void passLineFeed(byte ending) throws IOException {
        if (ending == '\r' && hasMore() && buffer[at] == '\n') {
            at++;
        }
    }

    private void begin() {
        quotes.begin();
        row.reset();
        length = 0;
    }

    private FileRow row(long began) {
        return new FileRow(began, row.toByteArray(), length);
    }

    private @Nullable FileRow object() throws IOException {
        begin();
        int depth = 0;
        boolean text = false;
        boolean escaped = false;
        long began = line;
        for (int c = read(); c != END; c = read()) {
            if (depth == 0 && c != '{') {
                between(c);
                began = line;
                continue;
            }
            if (closed) {
                throw new IOException("an object follows the end of the array");
            }
            add(c == '\n' || c == '\r' ? ' ' : c);
            if (text) {
                text = escaped || c != '"';
                escaped = !escaped && c == '\\';
            } else if (c == '"') {
                text = true;
            } else if (c == '{') {
                depth++;
            } else if (c == '}' && --depth == 0) {
                return row(began);
            }
        }
        if (depth > 0) {
            throw new IOException("the row of line " + began + " has no end: the file is not complete");
        }
        if (!closed) {
            throw new IOException("the array of rows has no end: the file is not complete");
        }
        return null;
    }

    /** Behind the array only the end of an object around it may follow. */
    private void between(int c) throws IOException {
        if (closed && c > ' ' && c != '}') {
            throw new IOException("text follows the end of the array");
        }
        closed = closed || c == ']';
    }

    private void add(int from, int count, boolean keep) {
        boolean whole = length <= MAX_ROW;
        length += count;
        if (whole) {
            row.write(buffer, from, count);
        }
        if (whole && length > MAX_ROW && !keep) {
            row.cut();
        }
    }

    private void add(int c) {
        length++;
        if (length <= MAX_ROW) {
            row.write(c);
        } else if (length == MAX_ROW + 1) {
            row.cut();
        }
    }

    /** Returns the line that it has reached. */
    long reached() {
        return line;
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
            end = Math.max(0, again.available() > 0 ? again.read(buffer, 0, buffer.length) : in.read(buffer));
        }
        return at < end;
    }

    /** The bytes of a row, which give the memory of one that is too long back. */
    private static final class RowBytes extends ByteArrayOutputStream {

        void cut() {
            buf = Arrays.copyOf(buf, KEPT);
            count = KEPT;
        }
    }
}
