package io.stowline.transport.internal.request;

/** The effect of a request on the store, which decides the meaning of a lost response. */
public enum OperationType {
    /** No effect: a lost response is never ambiguous. */
    READ,
    /** A change: after a lost response it is open whether it was made. */
    WRITE,
    /** The making of a table or another container: a change, and worth waiting for while the old one is still being deleted. */
    CREATE
}
