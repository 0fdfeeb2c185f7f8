package io.stowline.outcome;

/**
 * The outcome of a write that did not fail. A write whose outcome stays unknown fails with
 * {@link io.stowline.error.OutcomeUnknownException} instead.
 */
public enum WriteOutcome {
    /** The response of the service confirmed that it was carried out. */
    CONFIRMED,
    /** The response was lost, and reading back showed that the write was carried out; {@link Evidence} shows how that is known. */
    RECOVERED,
    /**
     * A deletion after which nothing of that name exists. After a lost response it is open whether this call or another client removed it.
     */
    ABSENT
}
