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
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A reader of the rows of a table file, in their order there. Not thread-safe. */
public final class TableFileReader implements AutoCloseable {

    /** A list as the service sends it: AzCopy may have kept the object around it. */
    private static final Pattern WRAPPED =
            Pattern.compile("\\s*\\{(\\s*\"odata\\.metadata\"\\s*:\\s*\"[^\"]*\"\\s*,)?\\s*\"value\"\\s*:\\s*\\[");

    private static final int LOOKAHEAD = 4_096;
    private static final byte[] BOM = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final CountingInput counting;
    private final InputStream in;
    private final RowSplitter splitter;
    private final EntityLines lines = new EntityLines();
    private final @Nullable CsvColumns columns;

    private TableFileReader(
            CountingInput counting, InputStream in, RowSplitter splitter, @Nullable CsvColumns columns) {
        this.counting = counting;
        this.in = in;
        this.splitter = splitter;
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
            InputStream plain = new BufferedInputStream(
                    format.compressed() ? new GZIPInputStream(counting, 64 << 10) : counting, 64 << 10);
            pass(plain, BOM);
            RowForm form = format.form() == RowForm.RECORDS ? RowForm.RECORDS : json(plain);
            RowSplitter splitter = new RowSplitter(plain, form);
            return new TableFileReader(
                    counting,
                    plain,
                    splitter,
                    form == RowForm.RECORDS ? CsvColumns.read(header(splitter, file), declared) : null);
        } catch (IOException | RuntimeException e) {
            counting.close();
            throw e;
        }
    }

    private static String header(RowSplitter splitter, Path file) throws IOException {
        FileRow first = splitter.next();
        if (first == null) {
            throw new IOException("the CSV file " + file.getFileName() + " has no header");
        }
        return first.shown();
    }

    private static void pass(InputStream in, byte[] prefix) throws IOException {
        in.mark(prefix.length);
        if (!Arrays.equals(in.readNBytes(prefix.length), prefix)) {
            in.reset();
        }
    }

    /** A file is an array if it begins like one, whatever its name. */
    private static RowForm json(InputStream in) throws IOException {
        in.mark(LOOKAHEAD);
        String begin = new String(in.readNBytes(LOOKAHEAD), StandardCharsets.ISO_8859_1);
        in.reset();
        Matcher wrapped = WRAPPED.matcher(begin);
        if (wrapped.lookingAt()) {
            in.skipNBytes(wrapped.end());
            return RowForm.ARRAY;
        }
        return begin.stripLeading().startsWith("[") ? RowForm.ARRAY : RowForm.LINES;
    }

    /**
     * Returns the next row as it stands there.
     *
     * @return the row; {@code null} at the end
     */
    public @Nullable FileRow next() throws IOException {
        return splitter.next();
    }

    /**
     * Returns the entity of a row of this file.
     *
     * @throws IOException if the row is not one of a table file
     * @throws RuntimeException if a value is not of its type, or a name is not allowed
     */
    public Entity entity(FileRow row) throws IOException {
        return columns == null ? lines.entity(row.text()) : columns.entity(row.shown());
    }

    /** Returns how many bytes of the file have been read. */
    public long bytesRead() {
        return counting.count;
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
