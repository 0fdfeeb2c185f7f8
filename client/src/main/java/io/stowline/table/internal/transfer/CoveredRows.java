package io.stowline.table.internal.transfer;

import io.stowline.table.Entity;
import io.stowline.table.internal.format.FileRow;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Rows of a source without a gap: their number, and a sum of their bytes, which shows that a file has been changed since they were read.
 *
 * @param count how many they are
 * @param sum the sum of the checksums of their texts
 */
record CoveredRows(long count, long sum) {

    static final CoveredRows NONE = new CoveredRows(0, 0);

    /** Reads them from a state. */
    static CoveredRows of(Entity state) {
        return new CoveredRows(PartTally.number(state, "Covered"), PartTally.number(state, "CoveredSum"));
    }

    void put(Map<String, Object> state) {
        state.put("Covered", count);
        state.put("CoveredSum", sum);
    }

    CoveredRows with(FileRow row) {
        CRC32C checksum = new CRC32C();
        checksum.update(row.text());
        return new CoveredRows(count + 1, sum + checksum.getValue() + row.length());
    }

    CoveredRows with(CoveredRows more) {
        return new CoveredRows(count + more.count, sum + more.sum);
    }
}
