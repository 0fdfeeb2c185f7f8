package io.stowline.table.internal.writer;

import io.stowline.transport.internal.concurrent.Stopwatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The link from an operation to its record in a journal; that of a coalesced operation includes the records of those it
 * replaced. Thread-safe.
 */
final class JournalTicket {

    private final WriteAheadLog log;
    private final Records ids;
    private final boolean inherited;
    private volatile @Nullable ReplayedWrite replay;
    private volatile int rounds;
    private volatile Duration reserved = Duration.ZERO;

    /** The newest record first, so that another one is added without a copy. */
    private record Records(long id, @Nullable Records others) {}

    private JournalTicket(WriteAheadLog log, Records ids, @Nullable ReplayedWrite replay) {
        this.log = log;
        this.ids = ids;
        this.inherited = replay != null;
        this.replay = replay;
    }

    static JournalTicket of(WriteAheadLog log, long id, @Nullable ReplayedWrite replay) {
        return new JournalTicket(log, new Records(id, null), replay);
    }

    /** Returns the ticket of an operation that stands for both. */
    static @Nullable JournalTicket both(@Nullable JournalTicket earlier, @Nullable JournalTicket later) {
        if (earlier == null || later == null) {
            return later == null ? earlier : later;
        }
        Records ids = earlier.ids;
        for (long id : later.ids()) {
            ids = new Records(id, ids);
        }
        return new JournalTicket(later.log, ids, later.replay);
    }

    /** Returns the writer through the journal. */
    WriteAheadLog log() {
        return log;
    }

    /** Returns the ids of the records. */
    List<Long> ids() {
        List<Long> all = new ArrayList<>(1);
        for (Records each = ids; each != null; each = each.others) {
            all.add(each.id);
        }
        return all;
    }

    /** Returns whether an earlier process has accepted it. */
    boolean inherited() {
        return inherited;
    }

    /** Returns the unresolved attempts, those of an earlier process included; {@code null} if there are none. */
    @Nullable
    ReplayedWrite replay() {
        return replay;
    }

    /** Records that an attempt of this process may have been carried out, and may yet be for so long. */
    synchronized void markUnresolved(Stopwatch first, Duration timeUntilSettled, Scheduler timer) {
        ReplayedWrite before = replay;
        if (before == null) {
            replay = new ReplayedWrite(first, timeUntilSettled, timer);
        } else {
            before.prolong(timeUntilSettled);
        }
    }

    /** Records that an abandoned attempt may still arrive for so long after the result. */
    void reservedFor(Duration timeUntilSettled) {
        reserved = timeUntilSettled;
    }

    /** Returns the time for which an attempt may still arrive after its result. */
    Duration reserved() {
        return reserved;
    }

    /** Counts a postponement, and returns their number. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // it is in one batch at a time
    int postponed() {
        return ++rounds;
    }
}
