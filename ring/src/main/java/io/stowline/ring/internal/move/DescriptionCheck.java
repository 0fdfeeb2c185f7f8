package io.stowline.ring.internal.move;

import io.stowline.ring.RingMismatchException;
import io.stowline.ring.internal.place.RingGuard;
import io.stowline.ring.internal.place.RingMember;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The check that this process may use an account, by the description that stands there. A check counts for a time. Thread-safe. */
public final class DescriptionCheck implements RingGuard {

    private final String before;
    private final String after;
    private final DescriptionStore store;
    private final MovePause pause;
    private final long maxAge;
    private final Map<String, CheckedDescription> checked = new ConcurrentHashMap<>();

    private record CheckedDescription(RingDescription description, long nanos) {}

    /**
     * Makes the check of a process.
     *
     * @param before the accounts of its ring before a change
     * @param after the accounts of its ring after it
     * @param maxAge how long a check counts
     */
    public DescriptionCheck(String before, String after, DescriptionStore store, MovePause pause, Duration maxAge) {
        this.before = before;
        this.after = after;
        this.store = store;
        this.pause = pause;
        this.maxAge = maxAge.toNanos();
    }

    /**
     * Returns the description in an account.
     *
     * @throws RingMismatchException if this process must not use the account
     */
    public RingDescription of(String account) {
        CheckedDescription last = checked.get(account);
        if (last != null && pause.nanos() - last.nanos <= maxAge) {
            return last.description;
        }
        long begun = pause.nanos();
        RingDescription now = store.read(account);
        while (now == null) {
            store.write(account, first(), null);
            now = store.read(account);
        }
        refuseOther(now);
        checked.put(account, new CheckedDescription(now, begun));
        return now;
    }

    @Override
    public void check(RingMember member) {
        of(member.name());
    }

    @Override
    public boolean hasLeftovers(RingMember member) {
        return of(member.name()).phase() != RingPhase.STEADY;
    }

    /** An account without a description gets the one of the others, which must all be those of this ring. */
    private RingDescription first() {
        RingDescription latest = RingDescription.first(before);
        for (String account : store.accounts()) {
            RingDescription there = store.read(account);
            if (there != null) {
                refuseOther(there);
                latest = there.term() > latest.term() ? there : latest;
            }
        }
        return latest;
    }

    private void refuseOther(@Nullable RingDescription there) {
        if (there != null && !there.allows(before, after)) {
            checked.clear();
            throw new RingMismatchException(
                    "the ring of this process, " + before + (before.equals(after) ? "" : " -> " + after),
                    there.toString());
        }
    }
}
