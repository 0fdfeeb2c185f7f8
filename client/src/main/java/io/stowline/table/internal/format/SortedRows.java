package io.stowline.table.internal.format;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a file in the order of their keys, whatever their order there: runs that fit into the memory are sorted and written to a folder,
 * and merged as they are read. Rows of equal keys keep their order. Not thread-safe.
 */
public final class SortedRows implements AutoCloseable {

    private static final long RUN_BYTES = 16L << 20;

    /** The heap that a row takes beside its text. */
    private static final int OVERHEAD = 200;

    private static final Comparator<RowOrder> ORDER = Comparator.comparing(RowOrder::partitionKey)
            .thenComparing(RowOrder::rowKey)
            .thenComparingLong(RowOrder::line);

    private final Path folder;
    private final List<PlacedRow> rows = new ArrayList<>();
    private final List<RunReader> readers = new ArrayList<>();
    private final PriorityQueue<RunReader> queue =
            new PriorityQueue<>((one, other) -> ORDER.compare(one.head(), other.head()));
    private long bytes;
    private int runs;

    /**
     * Begins without rows.
     *
     * @param folder an existing folder for the runs
     */
    public SortedRows(Path folder) {
        this.folder = folder;
    }

    /** The place of a row; the keys of an unreadable one are empty. */
    private record RowOrder(String partitionKey, String rowKey, long line) {}

    /** A row with its place. */
    private record PlacedRow(RowOrder order, FileRow row) {}

    /** Adds a row. */
    public void add(String partitionKey, String rowKey, FileRow row) throws IOException {
        rows.add(new PlacedRow(new RowOrder(partitionKey, rowKey, row.line()), row));
        bytes += row.text().length + 2L * (partitionKey.length() + rowKey.length()) + OVERHEAD;
        if (bytes >= RUN_BYTES) {
            spill();
        }
    }

    private void spill() throws IOException {
        rows.sort(Comparator.comparing(PlacedRow::order, ORDER));
        Path run = folder.resolve("sorted-" + runs++);
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(run)))) {
            for (PlacedRow row : rows) {
                out.writeUTF(row.order.partitionKey);
                out.writeUTF(row.order.rowKey);
                out.writeLong(row.order.line);
                out.writeLong(row.row.length());
                out.writeInt(row.row.text().length);
                out.write(row.row.text());
            }
        } catch (IOException e) {
            throw new IOException("sorted rows cannot be written to " + run + ": " + e.getMessage(), e);
        }
        rows.clear();
        bytes = 0;
    }

    /** Ends the adding; the rows can be read then. */
    public SortedRows sorted() throws IOException {
        spill();
        for (int i = 0; i < runs; i++) {
            RunReader reader = new RunReader(folder.resolve("sorted-" + i));
            readers.add(reader);
            if (reader.advance()) {
                queue.add(reader);
            }
        }
        return this;
    }

    /** Returns the next row; {@code null} at the end. */
    public @Nullable FileRow next() throws IOException {
        RunReader least = queue.poll();
        if (least == null) {
            return null;
        }
        FileRow row = least.row();
        if (least.advance()) {
            queue.add(least);
        }
        return row;
    }

    @Override
    public void close() throws IOException {
        for (RunReader reader : readers) {
            reader.close();
        }
        for (int i = 0; i < runs; i++) {
            Files.deleteIfExists(folder.resolve("sorted-" + i));
        }
    }

    /** A reader of one run. Its head has keys only: the texts of many runs could be more than the memory. */
    private static final class RunReader implements AutoCloseable {

        private static final int BUFFER = 16 << 10;

        private final DataInputStream in;
        private @Nullable RowOrder head;

        RunReader(Path run) throws IOException {
            this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(run), BUFFER));
        }

        RowOrder head() {
            RowOrder order = head;
            if (order == null) {
                throw new IllegalStateException("the run has no row");
            }
            return order;
        }

        boolean advance() throws IOException {
            try {
                head = new RowOrder(in.readUTF(), in.readUTF(), in.readLong());
                return true;
            } catch (EOFException end) {
                head = null;
                return false;
            }
        }

        /** Returns the row of the head, once. */
        FileRow row() throws IOException {
            long length = in.readLong();
            return new FileRow(head().line(), in.readNBytes(in.readInt()), length);
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
