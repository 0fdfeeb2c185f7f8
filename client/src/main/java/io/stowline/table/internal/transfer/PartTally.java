package io.stowline.table.internal.transfer;

import io.stowline.table.Entity;
import io.stowline.table.internal.format.RowChecksum;
import io.stowline.table.transfer.TableTransferReport;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The figures of a transfer or a part of it, as its state keeps them. Not thread-safe. */
final class PartTally {

    private final RowChecksum checksum = new RowChecksum();
    private long read;
    private long written;
    private long unchanged;
    private long rejected;
    private @Nullable Instant oldest;
    private @Nullable Instant newest;

    /** Adds an entity that was read. */
    void read(byte[] line, @Nullable Instant timestamp) {
        read++;
        checksum.add(line);
        span(timestamp);
    }

    /** Takes an entity that was read and is rejected out of the checksum. */
    void refused(byte[] line) {
        checksum.remove(line);
    }

    /** Adds rows that could not be read. */
    void unreadable() {
        read++;
    }

    void settled(long more, long same, long refused) {
        written += more;
        unchanged += same;
        rejected += refused;
    }

    private void span(@Nullable Instant timestamp) {
        if (timestamp != null) {
            oldest = oldest == null || timestamp.isBefore(oldest) ? timestamp : oldest;
            newest = newest == null || timestamp.isAfter(newest) ? timestamp : newest;
        }
    }

    /** Adds the figures of a state. */
    PartTally add(Entity state) {
        read += number(state, "Read");
        written += number(state, "Written");
        unchanged += number(state, "Unchanged");
        rejected += number(state, "Rejected");
        String sum = state.get("Checksum", String.class);
        checksum.add(sum == null ? "" : sum);
        span(state.get("Oldest", Instant.class));
        span(state.get("Newest", Instant.class));
        return this;
    }

    /** Adds other figures. */
    void add(PartTally other) {
        read += other.read;
        written += other.written;
        unchanged += other.unchanged;
        rejected += other.rejected;
        checksum.add(other.checksum);
        span(other.oldest);
        span(other.newest);
    }

    /** Returns a report of these figures. */
    TableTransferReport report(Duration elapsed, boolean resumed, boolean summed) {
        return new TableTransferReport(
                read,
                written,
                unchanged,
                rejected,
                summed ? Optional.of(checksum.toString()) : Optional.empty(),
                elapsed,
                resumed);
    }

    static long number(Entity state, String name) {
        Long value = state.get(name, Long.class);
        return value == null ? 0 : value;
    }

    /** Returns the figures as properties of a state. */
    Map<String, Object> state() {
        Map<String, Object> state = new TreeMap<>();
        state.put("Read", read);
        state.put("Written", written);
        state.put("Unchanged", unchanged);
        state.put("Rejected", rejected);
        state.put("Checksum", checksum.toString());
        if (oldest != null && newest != null) {
            state.put("Oldest", oldest);
            state.put("Newest", newest);
        }
        return state;
    }

    long read() {
        return read;
    }

    long rejected() {
        return rejected;
    }

    String checksum() {
        return checksum.toString();
    }

    @Nullable
    Instant oldest() {
        return oldest;
    }

    @Nullable
    Instant newest() {
        return newest;
    }
}
