package io.stowline.system.ledger.script;

/** How long a caller bears with an operation. */
public enum CallerTimeout {
    /** As many attempts as usual, and time to find out. */
    USUAL,
    /** One attempt, and time to find out. */
    ONE_ATTEMPT,
    /** A deadline that leaves no time to find out. */
    HURRIED,
    /** The client has this step only, and ends during it: it is closed, and the process of a journaled writer is killed. */
    CUT_SHORT
}
