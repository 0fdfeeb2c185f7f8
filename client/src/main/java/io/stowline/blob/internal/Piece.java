package io.stowline.blob.internal;

import io.stowline.blob.BlobFacts;

/** A range of a blob that has arrived whole. Its bytes belong to who reads it. */
final class Piece {

    private final BlobFacts facts;
    private final long offset;
    private final byte[] bytes;
    private final LocalFailure.Ids ids;

    Piece(BlobFacts facts, long offset, byte[] bytes, LocalFailure.Ids ids) {
        this.facts = facts;
        this.offset = offset;
        this.bytes = bytes;
        this.ids = ids;
    }

    /** The blob, in the version that all pieces of one download are of. */
    BlobFacts facts() {
        return facts;
    }

    /** Where in the blob it begins. */
    long offset() {
        return offset;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Of the request that brought it. */
    LocalFailure.Ids ids() {
        return ids;
    }
}
