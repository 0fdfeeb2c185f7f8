package io.stowline.retry;

/** What the service refused because of too much load. */
public enum Throttling {
    /** Nothing: the attempt succeeded, or failed for another reason. */
    NONE,
    /** One partition: a range of a table, one queue or one blob. */
    PARTITION,
    /** The whole account. */
    ACCOUNT
}
