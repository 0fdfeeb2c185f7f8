package io.stowline.journal.internal.store;

import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;

/**
 * A record that the service refused for good, with the reason. Immutable.
 *
 * @param at when it was refused, by this machine's clock
 * @param reason why, in one line
 * @param record what it holds
 */
@SuppressWarnings("ArrayRecordComponent") // copied on the way in and out
public record RejectedRecord(long id, Instant at, String reason, byte[] record) {

    /**
     * Makes it with a copy of what the record holds.
     *
     * @param at when it was refused
     * @param reason why
     */
    public RejectedRecord {
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(reason, "reason");
        record = Objects.requireNonNull(record, "record").clone();
    }

    /**
     * Returns what the record holds.
     *
     * @return a copy of the bytes that were appended
     */
    @Override
    public byte[] record() {
        return record.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RejectedRecord that
                && id == that.id
                && at.equals(that.at)
                && reason.equals(that.reason)
                && Arrays.equals(record, that.record);
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, at, reason, Arrays.hashCode(record));
    }

    /** Returns id, time, reason and size, without the content. */
    @Override
    public String toString() {
        return "RejectedRecord[id=" + id + ", at=" + at + ", reason=" + reason + ", " + record.length + " bytes]";
    }
}
