package io.stowline.blob.internal.request;

import io.stowline.transport.internal.http.BodySink;
import io.stowline.transport.internal.http.ResponseBounds.ResponseTooLongException;
import io.stowline.transport.internal.http.StorageResponse;
import java.util.Arrays;

/** A sink that collects the body of a response up to a bound that is given. One request's; its attempts come one after the other. */
final class WholeBody implements BodySink {

    private static final int SMALL = 8 << 10;

    /** The largest announced length that is allocated at once; a longer body grows the array. */
    private static final long MAX_AT_ONCE = 8 << 20;

    private final int bound;
    private byte[] bytes = new byte[0];
    private int size;

    /**
     * A body without bytes.
     *
     * @param bound its limit in bytes
     */
    WholeBody(int bound) {
        this.bound = bound;
    }

    @Override
    public void begin(int status, StorageResponse.Headers headers, long contentLength) throws ResponseTooLongException {
        if (contentLength > bound) {
            throw ResponseTooLongException.body(bound);
        }
        size = 0;
        bytes = new byte[(int) Math.min(MAX_AT_ONCE, contentLength < 0 ? SMALL : contentLength)];
    }

    @Override
    public void add(BodyPart part) throws ResponseTooLongException {
        int length = part.length();
        if (length > bound - size) {
            throw ResponseTooLongException.body(bound);
        }
        if (size + length > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(bound, Math.max(size + (long) length, bytes.length * 2L)));
        }
        part.copyTo(bytes, size);
        size += length;
    }

    /** Returns the response with these bytes as its body. */
    StorageResponse of(StorageResponse head) {
        byte[] body = size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
        return new StorageResponse(head.status(), head.headers(), body, head.origin(), head.request());
    }
}
