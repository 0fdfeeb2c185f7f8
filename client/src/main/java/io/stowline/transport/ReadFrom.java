package io.stowline.transport;

/**
 * The read preference: where safe reads go in an account with a read-only copy in another region (RA-GRS or RA-GZRS). A read goes there
 * only if its result has a {@link ReadOrigin} to show it; all other reads, Get Messages, every write and the reading back of a write stay
 * with the primary.
 */
public enum ReadFrom {

    /** Reads go to the primary only and see all earlier writes. The default. */
    PRIMARY,

    /**
     * Reads the primary first, and after an attempt that failed there and may be repeated the secondary, in turns, within the number of
     * retries and the deadline of the operation. The first change to the secondary happens at once, since that host is not the overloaded
     * one. Each later attempt waits as after any failure, and keeps the wait that its own host requested. All of them count against the
     * retry quota. While the circuit breaker is open, reads go to the secondary at once.
     *
     * <p>What the secondary does not have, or refuses for any other reason that a repetition cannot mend, may only lag behind: the rest of
     * the attempts goes to the primary, and if they fail too the failure is that of the primary. A read never reports something as missing
     * because the secondary does not have it.
     *
     * <p>Pages of a listing stay where the page before came from, since a continuation belongs to that place.
     */
    SECONDARY_AFTER_PRIMARY
}
