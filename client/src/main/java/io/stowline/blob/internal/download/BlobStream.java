package io.stowline.blob.internal.download;

import io.stowline.blob.DownloadSettings;
import io.stowline.blob.internal.base.BlobContext;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A blob as a stream, with a bounded number of bytes read ahead. Used by one thread. */
public final class BlobStream extends InputStream {

    private final PieceCursor pieces;
    private @Nullable BlobPiece piece;
    private int position;
    private boolean closed;

    private BlobStream(PieceCursor pieces, @Nullable BlobPiece first) {
        this.pieces = pieces;
        this.piece = first;
    }

    /**
     * Opens a blob; its first bytes are there then.
     *
     * @param scope the container
     */
    @SuppressWarnings("MustBeClosedChecker") // the stream closes it
    public static BlobStream open(BlobContext scope, String name, DownloadSettings settings) {
        BlobContext primary = scope.atPrimary();
        PieceCursor pieces = new PieceCursor(primary, "open", name, ReadPlan.of(primary, settings));
        try {
            return new BlobStream(pieces, pieces.next());
        } catch (RuntimeException e) {
            pieces.close();
            throw e;
        }
    }

    /** Whether there is a byte; goes on to the next piece if need be. */
    private boolean more() throws IOException {
        if (closed) {
            throw new IOException("the stream is closed");
        }
        while (piece != null && position == piece.bytes().length) {
            piece = pieces.next();
            position = 0;
        }
        return piece != null;
    }

    @Override
    public int read() throws IOException {
        return more() ? Objects.requireNonNull(piece).bytes()[position++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        if (!more()) {
            return -1;
        }
        int count = Math.min(length, available());
        System.arraycopy(Objects.requireNonNull(piece).bytes(), position, target, offset, count);
        position += count;
        return count;
    }

    @Override
    public int available() {
        return piece == null || closed ? 0 : piece.bytes().length - position;
    }

    @Override
    public void close() {
        closed = true;
        piece = null;
        pieces.close();
    }
}
