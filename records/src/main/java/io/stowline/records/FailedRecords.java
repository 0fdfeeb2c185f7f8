package io.stowline.records;

import java.util.Objects;

/**
 * A chunk of records that is in no blob, as far as the writer knows: after a lost response it may be in one. Immutable.
 *
 * @param blob the name of the blob that was to take it
 * @param records the number of records
 * @param content the records as they would stand in the blob, before compression; not copied. Empty if the disk cannot read them, or if
 *     too many failures were not taken
 * @param cause why it failed
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
public record FailedRecords(String blob, int records, byte[] content, Throwable cause) {

    /**
     * Checks that everything is there.
     *
     * @param blob the name of the blob that was to take it
     * @param records the number of records
     * @param content the records
     * @param cause why it failed
     */
    public FailedRecords {
        Objects.requireNonNull(blob, "blob");
        Objects.requireNonNull(content, "content");
        Objects.requireNonNull(cause, "cause");
    }

    @Override
    public String toString() {
        return "FailedRecords[blob=" + blob + ", records=" + records + ", cause=" + cause + "]";
    }
}
