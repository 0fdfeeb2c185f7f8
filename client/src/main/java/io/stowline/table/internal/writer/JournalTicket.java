package io.stowline.table.internal.writer;

import io.stowline.transport.internal.concurrent.Stopwatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** What ties an operation to its record in a journal. Of one that replaced others by coalescing it holds theirs, too. Thread-safe. */
final class JournalTicket {

    private final JournaledWriter journaled;
    private final Records ids;
    private final boolean inherited;
    private volatile @Nullable ReplayedWrite replay;
    private volatile int rounds;
    private volatile Duration reserved = Duration.ZERO;

    /** The newest record first, so that another one is added without a copy. */
    private record Records(long id, @Nullable Records others) {}

    private JournalTicket(JournaledWriter journaled, Records ids, @Nullable ReplayedWrite replay) {
        this.journaled = journaled;
        this.ids = ids;
        this.inherited = replay != null;
        this.replay = replay;
    }

    static JournalTicket of(JournaledWriter journaled, long id, @Nullable ReplayedWrite replay) {
        return new JournalTicket(journaled, new Records(id, null), replay);
    }

    /** The ticket of an operation that stands for both. */
    static @Nullable JournalTicket both(@Nullable JournalTicket earlier, @Nullable JournalTicket later) {
        if (earlier == null || later == null) {
            return later == null ? earlier : later;
        }
        Records ids = earlier.ids;
        for (long id : later.ids()) {
            ids = new Records(id, ids);
        }
        return new JournalTicket(later.journaled, ids, later.replay);
    }

    /** The way through the journal. */
    JournaledWriter journaled() {
        return journaled;
    }

    /** The records. */
    List<Long> ids() {
        List<Long> all = new ArrayList<>(1);
        for (Records each = ids; each != null; each = each.others) {
            all.add(each.id);
        }
        return all;
    }

    /** Whether an earlier process has accepted it. */
    boolean inherited() {
        return inherited;
    }

    /** What is not known of its attempts, those of an earlier process included; {@code null} if there is no doubt. */
    @Nullable
    ReplayedWrite replay() {
        return replay;
    }

    /** An attempt of this process may have been carried out, and may yet be for so long. */
    synchronized void markUnresolved(Stopwatch first, Duration timeUntilSettled, Scheduler timer) {
        ReplayedWrite before = replay;
        if (before == null) {
            replay = new ReplayedWrite(first, timeUntilSettled, timer);
        } else {
            before.prolong(timeUntilSettled);
        }
    }

    /** With its result an attempt that was given up may still arrive for so long. */
    void reservedFor(Duration timeUntilSettled) {
        reserved = timeUntilSettled;
    }

    /** How long after its result an attempt may still arrive. */
    Duration reserved() {
        return reserved;
    }

    /** How often it came to no end, this time included. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // it is in one batch at a time
    int postponed() {
        return ++rounds;
    }
}
