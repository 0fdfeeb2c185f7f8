package io.stowline.blob.internal.transfer;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pieces that paused readers have in hand beside the memory that is counted. When all together are too much, those who paused first
 * drop theirs. Thread-safe.
 */
final class PausedPieces {

    private final long max;
    private final Map<Object, Piece> pieces = new LinkedHashMap<>();
    private long kept;

    /** Makes room for this many bytes together. */
    PausedPieces(long max) {
        this.max = max;
    }

    private record Piece(long bytes, Runnable letGo) {}

    long max() {
        return max;
    }

    synchronized long kept() {
        return kept;
    }

    /**
     * Keeps a piece in place of its owner's one before.
     *
     * @param letGo makes the owner drop it
     * @return what makes others drop theirs, to be run without a lock
     */
    synchronized List<Runnable> keep(Object owner, long bytes, Runnable letGo) {
        forget(owner);
        List<Runnable> drops = new ArrayList<>(0);
        Iterator<Piece> oldest = pieces.values().iterator();
        while (kept + bytes > max && oldest.hasNext()) {
            Piece piece = oldest.next();
            oldest.remove();
            kept -= piece.bytes;
            drops.add(piece.letGo);
        }
        pieces.put(owner, new Piece(bytes, letGo));
        kept += bytes;
        return drops;
    }

    /** Forgets the piece of an owner. */
    synchronized void forget(Object owner) {
        Piece piece = pieces.remove(owner);
        kept -= piece == null ? 0 : piece.bytes;
    }
}
