package io.stowline.table;

/** The policy for queries that make the service scan the whole table (the class {@code table-scan} of {@link Query#queryClass}). */
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
