package io.stowline.transport.internal.request;

/** What a request does to the store, which decides what a lost answer means. */
public enum OperationType {
    /** Nothing: a lost answer is never ambiguous. */
    READ,
    /** A change: after a lost answer it is open whether it was made. */
    WRITE,
    /** The making of a table or another container: a change, and worth waiting for while the old one is still being deleted. */
    CREATE
}
