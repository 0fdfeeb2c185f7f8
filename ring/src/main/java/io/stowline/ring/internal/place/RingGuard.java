package io.stowline.ring.internal.place;

/** A check that a ring runs before each operation on the tables of an account. */
@FunctionalInterface
public interface RingGuard {

    /** The guard of a ring whose accounts are not compared with those of other processes. */
    RingGuard NONE = member -> {};

    /**
     * Checks that this process may use an account. It is called often, and returns at once unless the last check is too old.
     *
     * @throws RuntimeException if it may not; the operation sends nothing then
     */
    void check(RingMember member);

    /** Returns whether an account may have rows that a change of the ring has left, after the check. */
    default boolean hasLeftovers(RingMember member) {
        return false;
    }
}
