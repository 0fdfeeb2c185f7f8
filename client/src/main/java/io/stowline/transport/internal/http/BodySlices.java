package io.stowline.transport.internal.http;

import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** The bytes of a body in slices, which are views of the memory where it lies. Not thread-safe. */
public final class BodySlices implements Iterator<ByteBuffer> {

    private final List<ByteBuffer> parts;
    private final int most;
    private int part;
    private int at;

    /**
     * The slices of a body from its beginning.
     *
     * @param most the most bytes of a slice; one is shorter where the body or one of its parts ends
     */
    public BodySlices(RequestBody body, int most) {
        this.parts = body.parts();
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
