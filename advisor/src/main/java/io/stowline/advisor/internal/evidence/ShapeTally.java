package io.stowline.advisor.internal.evidence;

/** The counters of one query without its values. */
public enum ShapeTally {
    /** Pages. */
    PAGES,
    /** Pages with a continuation. */
    CONTINUED,
    /** Pages without an entity. */
    EMPTY,
    /** Entities returned. */
    RETURNED,
    /** Entities scanned. */
    SCANNED,
    /** Entities of pages with more properties than their type has, or without a type. */
    WIDE,
    /** Bytes of pages. */
    BYTES
}
