package io.stowline.system.ledger.lease;

/** The kinds of operations of this ledger. */
enum LeaseKind {
    ACQUIRE,
    CHANGE,
    RELEASE,
    BREAK,
    /** An upload under a lease. */
    WRITE,
    FENCE,
    /** An upload to a fenced blob. */
    UPLOAD,
    CREATE_BLOB,
    CREATE_CONTAINER,
    CREATE_TABLE,
    CREATE_QUEUE;

    /** Returns the action of its requests in the header of leases; empty for other requests. */
    String action() {
        return switch (this) {
            case ACQUIRE, CHANGE, RELEASE, BREAK -> name().toLowerCase(java.util.Locale.ROOT);
            default -> "";
        };
    }

    boolean isCreation() {
        return compareTo(CREATE_BLOB) >= 0;
    }
}
