package io.stowline.blob.internal;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Puts the pieces of a small blob together. Serves one download. */
final class Whole {

    private final BlobScope scope;
    private final Content content;
    private final int limit;
    private byte @Nullable [] bytes;

    Whole(BlobScope scope, String verb, int limit) {
        this.scope = scope;
        this.content = new Content(scope, verb);
        this.limit = limit;
    }

    void add(Piece piece) {
        content.add(piece);
        byte[] all = bytes;
        if (all == null) {
            refuseBeyondLimit(piece);
            boolean single = piece.bytes().length == piece.facts().size();
            all = single ? piece.bytes() : new byte[(int) piece.facts().size()];
            bytes = all;
        }
        if (all != piece.bytes()) {
            System.arraycopy(piece.bytes(), 0, all, (int) piece.offset(), piece.bytes().length);
        }
    }

    private void refuseBeyondLimit(Piece piece) {
        long size = piece.facts().size();
        if (size > limit) {
            throw beyond(scope.resource(piece.facts().name()), size, limit);
        }
    }

    static IllegalStateException beyond(String resource, long size, int limit) {
        return new IllegalStateException(resource + " has " + size + " bytes, more than the limit of " + limit
                + " for a download into memory; downloadTo and open have none");
    }

    byte[] bytes() {
        content.checked();
        return Objects.requireNonNull(bytes);
    }
}
