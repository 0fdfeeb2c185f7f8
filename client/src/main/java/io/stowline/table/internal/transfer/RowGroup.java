package io.stowline.table.internal.transfer;

import io.stowline.table.EntityKey;
import io.stowline.table.internal.format.FileEntity;
import io.stowline.table.internal.format.FileRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows that one transaction writes, with those between them that it does not: of one partition, and no entity twice. Not thread-safe. */
final class RowGroup {

    private static final int MAX_ROWS = 100;

    /** Unreadable rows have no partition, and count for no transaction. */
    private static final int MAX_PLANNED = 1_000;

    /** Below the service's 4 MiB, with room for the markers of writes. */
    private static final int MAX_BYTES = (4 << 20) - (32 << 10);

    /** The most of a part of a transaction beside its entity; a character of a key takes up to nine bytes in an address. */
    private static final int PART = 700;

    private static final int KEY = 9;

    private final List<PlannedRow> rows = new ArrayList<>();
    private final PartTally tally = new PartTally();
    private @Nullable String partition;
    private int writable;
    private long bytes;
    private CoveredRows covered = CoveredRows.NONE;

    /**
     * A row on its way into a table.
     *
     * @param row the row as it stood in its file
     * @param entity its entity; {@code null} if it is rejected
     * @param reason why it is rejected; empty if it is not
     */
    record PlannedRow(FileRow row, @Nullable FileEntity entity, String reason) {

        /** Returns the entity of a row that is not rejected. */
        FileEntity known() {
            if (entity == null) {
                throw new IllegalStateException("the row of line " + row.line() + " is rejected");
            }
            return entity;
        }
    }

    /** Returns whether this entity has room. */
    boolean hasRoom(FileEntity entity) {
        return writable == 0
                || (writable < MAX_ROWS
                        && rows.size() < MAX_PLANNED
                        && entity.key().partitionKey().equals(partition)
                        && bytes + size(entity) <= MAX_BYTES);
    }

    private static long size(FileEntity entity) {
        EntityKey key = entity.key();
        return PART
                + entity.line().length
                + (long) KEY * (key.partitionKey().length() + key.rowKey().length());
    }

    void add(FileEntity entity) {
        covered = covered.with(entity.row());
        tally.read(entity.line(), null);
        rows.add(new PlannedRow(entity.row(), entity, ""));
        partition = entity.key().partitionKey();
        writable++;
        bytes += size(entity);
    }

    void reject(FileRow row, String reason) {
        covered = covered.with(row);
        tally.unreadable();
        rows.add(new PlannedRow(row, null, reason));
        bytes += row.text().length;
    }

    /** Counts a row that takes no part. */
    void skip(FileRow row) {
        covered = covered.with(row);
    }

    boolean isFull() {
        return rows.size() >= MAX_PLANNED || bytes >= MAX_BYTES;
    }

    boolean isEmpty() {
        return covered.count() == 0;
    }

    /** Returns the figures of what was read. */
    PartTally tally() {
        return tally;
    }

    List<PlannedRow> rows() {
        return rows;
    }

    /** Returns the rows of the source that it covers. */
    CoveredRows covered() {
        return covered;
    }

    String partition() {
        return partition == null ? "" : partition;
    }
}
