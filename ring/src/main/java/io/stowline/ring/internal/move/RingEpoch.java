package io.stowline.ring.internal.move;

/** The epochs of a ring that changes: each partition has a home in both. */
public enum RingEpoch {
    /** The ring without the accounts that join. */
    OLD,
    /** The ring without the accounts that leave. */
    NEW
}
