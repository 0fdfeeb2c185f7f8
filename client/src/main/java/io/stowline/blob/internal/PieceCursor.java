package io.stowline.blob.internal;

import org.jspecify.annotations.Nullable;

/** The pieces of one download, read on a thread that may block. Used by one thread; closing it ends the download. */
final class PieceCursor implements AutoCloseable {

    private final Ledger ledger;
    private final Cursor<Piece> pieces;
    private int held;

    PieceCursor(BlobScope scope, String verb, String name) {
        this.ledger = new Ledger(scope.service().buffered());
        this.pieces = new Cursor<>(new Download(scope).pieces(verb, BlobNames.check(name), ledger));
    }

    /** The next piece, or null at the end; the one before is done with. */
    @Nullable
    Piece next() {
        ledger.free(held);
        held = 0;
        if (!pieces.hasNext()) {
            return null;
        }
        Piece piece = pieces.next();
        held = piece.bytes().length;
        return piece;
    }

    @Override
    public void close() {
        pieces.close();
        ledger.close();
    }
}
