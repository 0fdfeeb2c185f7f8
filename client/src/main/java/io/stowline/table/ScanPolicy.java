package io.stowline.table;

/** The policy for queries that make the service scan the whole table ({@link QueryClass#TABLE_SCAN}). */
public enum ScanPolicy {
    /** It is carried out. The default. */
    ALLOW,
    /** It is carried out, and logged once for each table and kind of condition, without the values compared with. */
    WARN,
    /** It fails with an {@code IllegalStateException} when it starts; nothing is sent. */
    REFUSE
}
