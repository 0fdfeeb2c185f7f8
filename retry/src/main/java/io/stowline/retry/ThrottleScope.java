package io.stowline.retry;

/** The scope of throttling: what the service refused because of load. */
public enum ThrottleScope {
    /** Nothing: the attempt succeeded, or failed for another reason. */
    NONE,
    /** One partition: a range of a table, one queue or one blob. */
    PARTITION,
    /** The whole account. */
    ACCOUNT
}
