package io.stowline.table.internal.format;

import io.stowline.table.Entity;
import io.stowline.table.internal.format.RowSplitter.RowForm;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * The format of a table file, by the ending of its name. Immutable.
 *
 * @param form the form of its rows
 * @param compressed whether it is compressed by gzip
 */
public record TableFileFormat(RowForm form, boolean compressed) {

    /**
     * Returns the format of a file.
     *
     * @throws IllegalArgumentException if its name has another ending
     */
    public static TableFileFormat of(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        boolean compressed = name.endsWith(".gz");
        String plain = compressed ? name.substring(0, name.length() - ".gz".length()) : name;
        if (plain.endsWith(".jsonl")) {
            return new TableFileFormat(RowForm.LINES, compressed);
        }
        if (plain.endsWith(".json")) {
            return new TableFileFormat(RowForm.ARRAY, compressed);
        }
        if (plain.endsWith(".csv")) {
            return new TableFileFormat(RowForm.RECORDS, compressed);
        }
        throw new IllegalArgumentException("the name of a table file ends in .jsonl or .csv, with .gz behind it if it"
                + " is compressed, or in .json if AzCopy wrote it, but the file is " + file.getFileName());
    }

    /** Returns whether the properties of a file stand in columns, whose types may be declared. */
    public static boolean hasColumns(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return name.endsWith(".csv") || name.endsWith(".csv.gz");
    }

    /**
     * Returns the format of the file of an export.
     *
     * @param select the properties of the export; empty for all
     * @throws IllegalArgumentException if exports do not write this format, or CSV has no columns
     */
    public static TableFileFormat ofExport(Path file, List<String> select) {
        TableFileFormat format = of(file);
        if (format.form == RowForm.ARRAY) {
            throw new IllegalArgumentException("an export writes .jsonl or .csv, with .gz behind it if it is"
                    + " compressed, but the file is " + file.getFileName());
        }
        if (format.form == RowForm.RECORDS && select.isEmpty()) {
            throw new IllegalArgumentException("a CSV file needs its columns: name them with select(..), or export "
                    + file.getFileName() + " as .jsonl");
        }
        return format;
    }

    /**
     * Returns the bytes before the first row.
     *
     * @param select the properties of an export; a CSV file has these columns
     */
    public byte[] header(List<String> select) throws IOException {
        return form == RowForm.RECORDS ? packed(CsvColumns.of(select).header()) : new byte[0];
    }

    private byte[] packed(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = over(packed)) {
            out.write(bytes);
        }
        return packed.toByteArray();
    }

    /**
     * Returns a stream whose bytes, once it is closed, can stand behind others of the same format: with gzip one member. Closing it flushes the
     * stream below, which stays open.
     */
    public OutputStream over(OutputStream out) throws IOException {
        return compressed ? new FastGzip(out) : new PlainRows(out);
    }

    /**
     * Returns the encoder of rows.
     *
     * @param select the properties of an export
     */
    public RowEncoder encoder(List<String> select) {
        CsvColumns columns = form == RowForm.RECORDS ? CsvColumns.of(select) : null;
        return (entity, line) -> columns == null ? stamped(entity, line) : columns.record(entity);
    }

    private static byte[] stamped(Entity entity, byte[] line) {
        Instant timestamp = entity.timestamp();
        int stamp = timestamp == null ? 0 : EntityLines.STAMP_LENGTH;
        byte[] whole = new byte[line.length + stamp + 1];
        int keys = EntityLines.keysEnd(line);
        System.arraycopy(line, 0, whole, 0, keys);
        if (timestamp != null) {
            EntityLines.stamp(timestamp, whole, keys);
        }
        System.arraycopy(line, keys, whole, keys + stamp, line.length - keys);
        whole[whole.length - 1] = '\n';
        return whole;
    }

    /** An encoder of rows for a file. */
    @FunctionalInterface
    public interface RowEncoder {

        /**
         * Returns the bytes of a row with the end of its line.
         *
         * @param line the entity as {@link EntityLines#line} gives it
         */
        byte[] row(Entity entity, byte[] line);
    }

    /** A gzip member of the fastest level: the network is slower than the disk, and the processor the bottleneck. */
    private static final class FastGzip extends GZIPOutputStream {

        FastGzip(OutputStream out) throws IOException {
            super(out, 64 << 10);
            def.setLevel(Deflater.BEST_SPEED);
        }

        /** Ends the member; the file below stays open. */
        @Override
        public void close() throws IOException {
            finish();
            def.end();
            out.flush();
        }
    }

    /** Rows as they are. */
    private static final class PlainRows extends FilterOutputStream {

        PlainRows(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}
