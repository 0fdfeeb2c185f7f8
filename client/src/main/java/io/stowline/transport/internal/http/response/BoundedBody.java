package io.stowline.transport.internal.http.response;

import io.netty.buffer.ByteBuf;
import io.stowline.transport.internal.http.ResponseBounds;
import io.stowline.transport.internal.http.ResponseBounds.ResponseTooLongException;
import io.stowline.transport.internal.http.StorageResponse;
import java.util.Arrays;

/**
 * The bytes of a body, copied as they come into an array of the length that was announced. Beyond a bound the body of an error is cut
 * off, and any other one is refused. One response's; not thread-safe.
 */
public final class BoundedBody implements ResponseBody {

    private static final byte[] EMPTY = new byte[0];

    /** The largest announced length that is allocated at once; a longer body grows the array. */
    private static final long MAX_AT_ONCE = 8 << 20;

    private final int bound;
    private final boolean cut;
    private byte[] bytes = EMPTY;
    private int size;

    private BoundedBody(int bound, boolean cut) {
        this.bound = bound;
        this.cut = cut;
    }

    /**
     * Returns the body of a response.
     *
     * @param max the limit of a success, in bytes
     */
    public static BoundedBody of(int status, int max) {
        return ResponseBounds.success(status)
                ? new BoundedBody(max, false)
                : new BoundedBody(ResponseBounds.ERROR_BYTES, true);
    }

    /**
     * {@inheritDoc}
     *
     * @throws ResponseTooLongException if it is longer than the bound and not cut off: what is announced need not be waited for
     */
    @Override
    public void begin(int status, StorageResponse.Headers headers, long length) throws ResponseTooLongException {
        if (length > bound && !cut) {
            throw ResponseTooLongException.body(bound);
        }
        int expected = (int) Math.min(bound, Math.min(MAX_AT_ONCE, length));
        bytes = expected <= 0 ? EMPTY : new byte[expected];
    }

    /**
     * {@inheritDoc}
     *
     * @throws ResponseTooLongException if it is longer than the bound and not cut off
     */
    @Override
    public boolean add(ByteBuf part, int length) throws ResponseTooLongException {
        int taken = Math.min(length, bound - size);
        if (taken < length && !cut) {
            throw ResponseTooLongException.body(bound);
        }
        if (size + taken > bytes.length) {
            bytes = Arrays.copyOf(
                    bytes, (int) Math.min(bound, Math.max(size + (long) taken, size == 0 ? 0 : bytes.length * 2L)));
        }
        part.readBytes(bytes, size, taken);
        size += taken;
        return taken == length;
    }

    /** Returns all bytes that were taken. */
    @Override
    public byte[] bytes() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }
}
