package io.stowline.table.internal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What ties an operation to its record in a journal. Of an operation that replaced others by coalescing it holds theirs, too.
 *
 * @param line the way through the journal
 * @param ids the records
 * @param replay what is known of its attempts in an earlier process, or {@code null} if it is of this one
 */
record JournalTicket(
        JournalLine line, List<Long> ids, @Nullable Replay replay) {

    static JournalTicket of(JournalLine line, long id, @Nullable Replay replay) {
        return new JournalTicket(line, List.of(id), replay);
    }

    /** The ticket of an operation that stands for both. */
    static @Nullable JournalTicket both(@Nullable JournalTicket earlier, @Nullable JournalTicket later) {
        if (earlier == null || later == null) {
            return later == null ? earlier : later;
        }
        List<Long> ids = new java.util.ArrayList<>(earlier.ids);
        ids.addAll(later.ids);
        return new JournalTicket(later.line, List.copyOf(ids), later.replay);
    }
}
