package io.stowline.outcome;

/**
 * How a write ended that did not fail. A write of which nobody can tell what became of it ends as
 * {@link io.stowline.error.OutcomeUnknownException} instead.
 */
public enum Outcome {
    /** The service answered that it was carried out. */
    CONFIRMED,
    /** The answer was lost, and reading back showed that the write was carried out; {@link Evidence} says how that is known. */
    RECOVERED,
    /** A deletion: there is nothing of that name now. After a lost answer it is open whether this call or somebody else removed it. */
    ABSENT
}
