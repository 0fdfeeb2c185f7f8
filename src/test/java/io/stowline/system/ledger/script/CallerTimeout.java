package io.stowline.system.ledger.script;

/** The patience of a caller with an operation. */
public enum CallerTimeout {
    /** The usual number of attempts, and time to find the outcome. */
    USUAL,
    /** One attempt, and time to find out. */
    ONE_ATTEMPT,
    /** A deadline that leaves no time to find out. */
    HURRIED,
    /** The client has this step only, and ends during it: it is closed, and the process of a journaled writer is killed. */
    CUT_SHORT
}
