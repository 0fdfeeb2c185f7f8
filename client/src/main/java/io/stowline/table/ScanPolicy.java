package io.stowline.table;

/** The policy for queries that make the service scan the whole table ({@link QueryClass#TABLE_SCAN}). */
public enum ScanPolicy {
    /** Carries the scan out. The default. */
    ALLOW,
    /**
     * Carries the scan out, and logs it once for each table and kind of condition, without the values compared with.
     */
    WARN,
    /** Fails the scan with an {@code IllegalStateException} when it starts; nothing is sent. */
    REFUSE
}
