package io.stowline.retry.internal.gate;

/** The class of a request at a {@link Gate}. */
public enum PermitPriority {
    /** Ordinary work, first come, first served. */
    NORMAL,
    /**
     * What settles or releases earlier work: read-backs, lease renewals, deletes, releases, aborts. First in line, and
     * with a permit of its own beyond the limit.
     */
    SETTLE
}
