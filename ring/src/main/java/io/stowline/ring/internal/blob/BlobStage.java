package io.stowline.ring.internal.blob;

/** The stage of a blob in one of its homes while the ring changes. */
public enum BlobStage {
    /** The blob may be read and written. */
    OPEN,
    /** The blob may be read, and is copied to its other home. */
    FROZEN,
    /** The blob in the old home is a leftover: the new home decides. */
    MOVED,
    /** The blob in the new home is absent for applications, and gets a copy. */
    COPYING,
    /** The blob in the new home is absent, and must not be created. */
    CLOSED
}
