package io.stowline.transport.internal.http;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** The slices of a body that lies in memory: views of that memory. Not thread-safe. */
final class SliceIterator implements Iterator<ByteBuffer> {

    private final List<ByteBuffer> parts;
    private final int most;
    private int part;
    private int at;

    /**
     * The slices from the beginning.
     *
     * @param parts the body
     * @param most the most bytes of a slice; one is shorter where the body or one of its parts ends
     */
    SliceIterator(List<ByteBuffer> parts, int most) {
        this.parts = parts;
        this.most = most;
        skipEmpty();
    }

    private void skipEmpty() {
        while (part < parts.size() && at == parts.get(part).remaining()) {
            part++;
            at = 0;
        }
    }

    @Override
    public boolean hasNext() {
        return part < parts.size();
    }

    @Override
    public ByteBuffer next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the body has ended");
        }
        ByteBuffer from = parts.get(part);
        int length = Math.min(most, from.remaining() - at);
        ByteBuffer slice = from.slice(from.position() + at, length);
        at += length;
        skipEmpty();
        return slice;
    }
}
