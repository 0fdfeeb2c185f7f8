package io.stowline.table.internal.index.repair;

import io.stowline.table.EntityKey;
import io.stowline.table.internal.index.IndexedRow;
import io.stowline.table.internal.index.TableIndex.IndexKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;

/**
 * The index rows that entities should have, against those that stand there: sums of digests, by the entity that they belong to. Rows may
 * come in any order; what is wanted and what stands cancel out, and a sum that is left over shows where to look. Takes the same memory for
 * any number of rows. For one thread.
 */
final class IndexComparison {

    private final long[] sums;
    private final BitSet suspects = new BitSet();
    private final MessageDigest sha;

    /**
     * Begins without rows.
     *
     * @param buckets into how many parts the entities are divided, a power of two: the entities of a part are looked at together
     */
    IndexComparison(int buckets) {
        this.sums = new long[buckets];
        try {
            this.sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Adds a row that an entity should have. */
    void wanted(EntityKey entity, IndexedRow row) {
        sums[bucket(entity)] += digest(row);
    }

    /** Adds a row that exists. */
    void found(EntityKey entity, IndexedRow row) {
        sums[bucket(entity)] -= digest(row);
    }

    /** Marks an entity to be checked whatever the sums are. */
    void suspect(EntityKey entity) {
        suspects.set(bucket(entity));
    }

    /** Returns whether all rows are as they should be. */
    boolean isEqual() {
        if (!suspects.isEmpty()) {
            return false;
        }
        for (long sum : sums) {
            if (sum != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the rows of this entity may be other than they should be. */
    boolean differs(EntityKey entity) {
        int bucket = bucket(entity);
        return sums[bucket] != 0 || suspects.get(bucket);
    }

    private int bucket(EntityKey entity) {
        int hash = entity.hashCode() * 0x9E3779B1;
        return (hash ^ (hash >>> 16)) & (sums.length - 1);
    }

    private long digest(IndexedRow row) {
        text(row.partitionKey());
        text(row.rowKey());
        for (Map.Entry<String, Object> property : new TreeMap<>(row.values()).entrySet()) {
            text(property.getKey());
            text(property.getValue().getClass().getName());
            if (property.getValue() instanceof byte[] bytes) {
                bytes(bytes);
            } else {
                text(property.getValue().toString());
            }
        }
        return ByteBuffer.wrap(sha.digest()).getLong();
    }

    private void text(String text) {
        bytes(text.getBytes(StandardCharsets.UTF_16LE));
    }

    /** The length goes before it, so that no two rows have the same bytes. */
    private void bytes(byte[] bytes) {
        sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
        sha.update(bytes);
    }

    /** Returns the row that an entity should have by the index. */
    static IndexedRow wantedRow(IndexKey key, IndexedRow entity) {
        return key.elsewhere() ? IndexedRow.reference(key, entity.rowKey()) : entity.copy(key);
    }
}
