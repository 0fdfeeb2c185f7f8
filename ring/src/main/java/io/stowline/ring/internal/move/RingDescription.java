package io.stowline.ring.internal.move;

import io.stowline.ring.RingAccount.Membership;
import io.stowline.ring.internal.place.RingMember;
import io.stowline.ring.internal.place.RingMembers;
import java.time.Duration;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The description of a ring that stands in each of its accounts, so that a process with another ring stops.
 *
 * @param before the accounts before the change
 * @param after the accounts after it; those before it if there is none
 * @param phase the phase of the change
 * @param term the number of the description, larger than all before
 * @param target the epoch to whose homes the mover brings the partitions
 * @param since the term from which on all movers had this target
 * @param mover the mover that wrote it; empty if it was written at first use
 * @param etag the version that was read; empty for one to be written
 */
public record RingDescription(
        String before,
        String after,
        RingPhase phase,
        long term,
        RingEpoch target,
        long since,
        String mover,
        String etag) {

    /** Returns the description of a ring at first use. */
    public static RingDescription first(String accounts) {
        return new RingDescription(accounts, accounts, RingPhase.STEADY, 0, RingEpoch.OLD, 0, "", "");
    }

    /**
     * Returns the accounts of a ring in one epoch, with what decides on placements. How often a process checks is a part of it, since a mover
     * waits for the checks of all.
     */
    public static String accounts(RingMembers members, RingEpoch epoch, Duration checkEvery) {
        Membership out = epoch == RingEpoch.OLD ? Membership.JOINING : Membership.LEAVING;
        return members.all().stream()
                .map(RingMember::account)
                .filter(account -> account.membership() != out)
                .map(account -> account.name() + "*" + account.weight() + "@" + account.region())
                .sorted()
                .collect(Collectors.joining(",", "", " every " + checkEvery));
    }

    /** Returns whether a process whose ring has these accounts in both epochs may use the ring. */
    public boolean allows(String ringBefore, String ringAfter) {
        boolean same = before.equals(ringBefore) && after.equals(ringAfter);
        boolean changed = after.equals(ringBefore) && after.equals(ringAfter);
        boolean unchanged = before.equals(ringBefore) && before.equals(ringAfter);
        return switch (phase) {
            case STEADY -> before.equals(ringBefore);
            case MOVING, SETTLING -> same;
            case MOVED -> same || changed;
            case FINISHING -> changed;
            case RETURNED -> same || unchanged;
        };
    }

    /** Returns whether another description was written by the same mover at the same term. */
    boolean isSame(@Nullable RingDescription other) {
        return other != null && term == other.term && phase == other.phase && mover.equals(other.mover);
    }

    @Override
    public String toString() {
        return phase + "[" + before + (before.equals(after) ? "" : " -> " + after) + "]";
    }
}
