package io.stowline.table.internal.format;

import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.transfer.PropertyKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table file in the order of their keys. A file of an export is read as it stands; any other one is read once for its order, and
 * sorted if it has none. Rows that cannot be read come where they stand, or first. Not thread-safe.
 */
public final class OrderedRows implements AutoCloseable {

    private final TableFileRows rows;
    private final @Nullable SortedRows sorted;
    private final long count;
    private long taken;

    private OrderedRows(TableFileRows rows, @Nullable SortedRows sorted, long count) {
        this.rows = rows;
        this.sorted = sorted;
        this.count = count;
    }

    /**
     * Opens a file.
     *
     * @param file a table file, or a manifest of AzCopy 7.3
     * @param declared the declared types of columns, for CSV
     * @param folder an existing folder for sorted runs
     */
    public static OrderedRows open(Path file, Map<String, PropertyKind> declared, Path folder) throws IOException {
        TableManifest manifest = TableManifest.of(file);
        long ordered = manifest == null ? ordered(file, declared) : manifest.rows();
        if (ordered >= 0) {
            return new OrderedRows(TableFileRows.open(file, declared), null, ordered);
        }
        TableFileRows rows = TableFileRows.open(file, declared);
        SortedRows sorted = new SortedRows(folder);
        try {
            long count = 0;
            for (FileRow row = rows.next(); row != null; row = rows.next()) {
                EntityKey key = key(rows, row);
                sorted.add(key == null ? "" : key.partitionKey(), key == null ? "" : key.rowKey(), row);
                count++;
            }
            return new OrderedRows(rows, sorted.sorted(), count);
        } catch (IOException | RuntimeException e) {
            rows.close();
            sorted.close();
            throw e;
        }
    }

    /** Returns the number of rows of a file in the order of the keys, or -1 if it has another order. */
    private static long ordered(Path file, Map<String, PropertyKind> declared) throws IOException {
        try (TableFileRows rows = TableFileRows.open(file, declared)) {
            long count = 0;
            EntityKey last = null;
            for (FileRow row = rows.next(); row != null; row = rows.next()) {
                EntityKey key = key(rows, row);
                if (key != null && last != null && compare(last, key) > 0) {
                    return -1;
                }
                last = key == null ? last : key;
                count++;
            }
            return count;
        }
    }

    private static @Nullable EntityKey key(TableFileRows rows, FileRow row) {
        try {
            FileEntity scanned = rows.scanned(row);
            return scanned == null ? checked(rows.entity(row)) : scanned.key();
        } catch (IOException | RuntimeException unreadable) {
            return null;
        }
    }

    /**
     * Returns the key of an entity of a file.
     *
     * @throws io.stowline.projection.InvalidKeyException if the service does not allow it
     */
    public static EntityKey checked(Entity entity) {
        KeyRules.check("PartitionKey", entity.partitionKey());
        KeyRules.check("RowKey", entity.rowKey());
        return keyOf(entity);
    }

    /** Returns the key of an entity, which need not keep the rules of the service. */
    public static EntityKey keyOf(Entity entity) {
        return new EntityKey(entity.partitionKey(), entity.rowKey());
    }

    /** Compares keys as the service orders them, by UTF-16. */
    public static int compare(EntityKey one, EntityKey other) {
        int partitions = one.partitionKey().compareTo(other.partitionKey());
        return partitions != 0 ? partitions : one.rowKey().compareTo(other.rowKey());
    }

    /**
     * Returns the next row; {@code null} at the end.
     *
     * @throws IOException if the file cannot be read, or has lost rows since it was opened
     */
    public @Nullable FileRow next() throws IOException {
        FileRow row = sorted == null ? rows.next() : sorted.next();
        if (row != null) {
            taken++;
        } else if (taken < count) {
            throw new IOException("the file ends after " + taken + " rows, and had " + count + " when it was opened");
        }
        return row;
    }

    /** Returns the entity of a row that is written as it stands; {@code null} if it is to be decoded. */
    public @Nullable FileEntity scanned(FileRow row) {
        return rows.scanned(row);
    }

    /** Returns the entity of a row; see {@link TableFileReader#entity}. */
    public Entity entity(FileRow row) throws IOException {
        return rows.entity(row);
    }

    /** Returns the share of the file that has been taken. */
    public double fraction() {
        return share(taken);
    }

    /** Returns the share of the file that so many rows are. */
    public double share(long some) {
        return count == 0 ? 1 : Math.min(1, (double) some / count);
    }

    @Override
    public void close() throws IOException {
        rows.close();
        if (sorted != null) {
            sorted.close();
        }
    }
}
