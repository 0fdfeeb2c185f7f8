package io.stowline.ring.internal.place;

import io.stowline.ring.RingAccount;
import io.stowline.ring.RingAccount.Membership;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of a ring by their names, and the homes of placements in both epochs. In a ring that does not change the epochs are equal.
 * Immutable, but for the guard.
 */
public final class RingMembers {

    private final Map<String, RingMember> members = new LinkedHashMap<>();
    private final Map<String, RendezvousHash> before = new HashMap<>();
    private final Map<String, RendezvousHash> after = new HashMap<>();
    private final OpenWork work = new OpenWork();
    private final boolean changing;
    private volatile RingGuard guard = RingGuard.NONE;

    /**
     * Makes the members of a ring.
     *
     * @param members the accounts, of different names
     * @throws IllegalArgumentException if a region has no account in one of the epochs
     */
    public RingMembers(List<RingMember> members) {
        for (RingMember member : members) {
            this.members.put(member.name(), member);
        }
        changing = members.stream().anyMatch(member -> member.account().membership() != Membership.STAYING);
        List<RingAccount> accounts = members.stream().map(RingMember::account).toList();
        for (String region :
                new TreeSet<>(accounts.stream().map(RingAccount::region).toList())) {
            before.put(region, hash(accounts, region, account -> account.membership() != Membership.JOINING));
            after.put(region, hash(accounts, region, account -> account.membership() != Membership.LEAVING));
        }
    }

    private static RendezvousHash hash(List<RingAccount> accounts, String region, Predicate<RingAccount> isIn) {
        List<RingAccount> some = accounts.stream()
                .filter(account -> account.region().equals(region))
                .filter(isIn)
                .toList();
        if (some.isEmpty()) {
            throw new IllegalArgumentException(
                    "region " + region + " needs an account that stays in it, besides those that join or leave");
        }
        return new RendezvousHash(some);
    }

    /** Returns all members, in the order in which they were added. */
    public Collection<RingMember> all() {
        return members.values();
    }

    /** Returns the members of a region in both epochs, in the order in which they were added. */
    public List<RingMember> of(String region) {
        return members.values().stream()
                .filter(member -> member.account().region().equals(region))
                .toList();
    }

    /** Returns the names of the regions. */
    public Collection<String> regions() {
        return new TreeSet<>(after.keySet());
    }

    /** Returns the member of a name, or {@code null}. */
    public @Nullable RingMember named(String name) {
        return members.get(name);
    }

    /** Returns the consumers and writers that are open. */
    public OpenWork work() {
        return work;
    }

    /** Returns whether an account joins or leaves. */
    public boolean isChanging() {
        return changing;
    }

    /** Returns the home of a placement before the change. */
    public RingMember before(String region, String placement) {
        return home(before, region, placement);
    }

    /** Returns the home of a placement after the change, which is its home if there is none. */
    public RingMember after(String region, String placement) {
        return home(after, region, placement);
    }

    private RingMember home(Map<String, RendezvousHash> epoch, String region, String placement) {
        RendezvousHash hash = Objects.requireNonNull(epoch.get(region), region);
        return Objects.requireNonNull(members.get(hash.account(placement).name()));
    }

    /** Sets the check that runs before operations. */
    public void guard(RingGuard guard) {
        this.guard = guard;
    }

    /** Returns whether an account may have rows that a change of the ring has left. */
    public boolean hasLeftovers(RingMember member) {
        return guard.hasLeftovers(member);
    }

    /** Returns a member after the check of the guard: every operation on tables takes its member from here. */
    public RingMember checked(RingMember member) {
        guard.check(member);
        return member;
    }
}
