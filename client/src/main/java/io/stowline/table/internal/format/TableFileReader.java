package io.stowline.table.internal.format;

import io.stowline.table.Entity;
import io.stowline.table.internal.format.RowSplitter.RowForm;
import io.stowline.table.transfer.PropertyKind;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A reader of the rows of a table file, in their order there. Not thread-safe. */
public final class TableFileReader implements AutoCloseable {

    /** A list as the service sends it: AzCopy may have kept the object around it. */
    private static final Pattern WRAPPED =
            Pattern.compile("\\s*\\{(\\s*\"odata\\.metadata\"\\s*:\\s*\"[^\"]*\"\\s*,)?\\s*\"value\"\\s*:\\s*\\[");

    private static final int LOOKAHEAD = 4_096;
    private static final byte[] BOM = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final Path file;
    private final CountingInput counting;
    private final InputStream in;
    private final RowSplitter splitter;
    private final RowForm form;
    private final EntityLines lines = new EntityLines();
    private final LineScanner scanner = new LineScanner();
    private final @Nullable CsvColumns columns;

    private TableFileReader(
            Path file,
            CountingInput counting,
            InputStream in,
            RowSplitter splitter,
            RowForm form,
            @Nullable CsvColumns columns) {
        this.file = file;
        this.counting = counting;
        this.in = in;
        this.splitter = splitter;
        this.form = form;
        this.columns = columns;
    }

    /**
     * Opens a file.
     *
     * @param declared the declared types of columns, for CSV
     * @throws IOException if it cannot be read, or its header is not one of a table file
     */
    public static TableFileReader open(Path file, Map<String, PropertyKind> declared) throws IOException {
        TableFileFormat format = TableFileFormat.of(file);
        CountingInput counting = new CountingInput(Files.newInputStream(file));
        try {
            InputStream plain =
                    new BufferedInputStream(format.compressed() ? new GzipMembers(counting) : counting, 64 << 10);
            pass(plain, BOM);
            RowForm form = format.form() == RowForm.RECORDS ? RowForm.RECORDS : json(plain, format.form());
            RowSplitter splitter = new RowSplitter(plain, form);
            return new TableFileReader(
                    file,
                    counting,
                    plain,
                    splitter,
                    form,
                    form == RowForm.RECORDS ? CsvColumns.read(header(splitter), declared) : null);
        } catch (IOException e) {
            counting.close();
            throw unreadable(file, 1, counting.count, e);
        } catch (RuntimeException e) {
            counting.close();
            throw e;
        }
    }

    private static IOException unreadable(Path file, long line, long read, IOException cause) {
        String reason = cause.getMessage() == null ? "its end is missing" : cause.getMessage();
        return new IOException(
                "the file " + file + " cannot be read at line " + line + ", near byte " + read + ": " + reason, cause);
    }

    private static String header(RowSplitter splitter) throws IOException {
        FileRow first = splitter.next();
        if (first == null || !first.isWhole()) {
            throw new IOException(first == null ? "a CSV file needs a header" : tooLong(first));
        }
        return first.decoded();
    }

    private static void pass(InputStream in, byte[] prefix) throws IOException {
        in.mark(prefix.length);
        if (!Arrays.equals(in.readNBytes(prefix.length), prefix)) {
            in.reset();
        }
    }

    /** A file is an array if it begins like one, whatever its name. */
    private static RowForm json(InputStream in, RowForm named) throws IOException {
        in.mark(LOOKAHEAD);
        String begin = new String(in.readNBytes(LOOKAHEAD), StandardCharsets.ISO_8859_1);
        in.reset();
        Matcher wrapped = WRAPPED.matcher(begin);
        if (wrapped.lookingAt()) {
            in.skipNBytes(wrapped.end());
            return RowForm.ARRAY;
        }
        if (named == RowForm.ARRAY && begin.isBlank()) {
            throw new IOException("it is empty, and a file of AzCopy has at least an array");
        }
        return begin.stripLeading().startsWith("[") ? RowForm.ARRAY : RowForm.LINES;
    }

    /**
     * Returns the next row as it stands there; of a file of rejected rows as it stood in the file of its import.
     *
     * @return the row; {@code null} at the end
     */
    public @Nullable FileRow next() throws IOException {
        try {
            FileRow row = splitter.next();
            return row == null || form != RowForm.LINES ? row : RejectedLine.row(row);
        } catch (IOException e) {
            throw unreadable(file, splitter.reached(), counting.count, e);
        }
    }

    private static String tooLong(FileRow row) {
        return "the row has " + row.length() + " bytes, and may have " + RowSplitter.MAX_ROW;
    }

    /** Returns the entity of a row that is written as it stands; {@code null} if it is to be decoded. */
    public @Nullable FileEntity scanned(FileRow row) {
        return columns == null && row.isWhole() && scanner.scan(row.text()) ? scanner.entity(row) : null;
    }

    /**
     * Returns the entity of a row of this file.
     *
     * @throws IOException if the row is not one of a table file
     * @throws RuntimeException if a value is not of its type, or a name is not allowed
     */
    public Entity entity(FileRow row) throws IOException {
        if (!row.isWhole()) {
            throw new IOException(tooLong(row));
        }
        return columns == null ? lines.entity(row.text()) : columns.entity(row.decoded());
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** A stream that counts the bytes of the file, compressed or not. */
    private static final class CountingInput extends FilterInputStream {

        private volatile long count;

        CountingInput(InputStream in) {
            super(Objects.requireNonNull(in, "in"));
        }

        @Override
        public int read() throws IOException {
            int c = super.read();
            add(c < 0 ? 0 : 1);
            return c;
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
            int n = super.read(target, from, length);
            add(Math.max(0, n));
            return n;
        }

        /** One thread reads. */
        @SuppressWarnings("NonAtomicVolatileUpdate")
        private void add(int n) {
            count += n;
        }
    }
}
