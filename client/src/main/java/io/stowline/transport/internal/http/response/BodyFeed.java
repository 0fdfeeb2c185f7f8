package io.stowline.transport.internal.http.response;

import io.netty.buffer.ByteBuf;
import io.stowline.transport.internal.http.BodySink;
import io.stowline.transport.internal.http.BodySink.BodyPart;
import io.stowline.transport.internal.http.BodySink.RefusedBodyException;
import io.stowline.transport.internal.http.StorageResponse;
import java.io.IOException;

/**
 * The path of one attempt's response body into a sink. No byte reaches the sink after the attempt: the next one may
 * have begun, or the memory of the sink may serve another request. Thread-safe.
 */
public final class BodyFeed implements ResponseBody {

    private static final byte[] EMPTY = new byte[0];

    private final BodySink sink;
    private final WriteTracker attempt;
    private boolean begun;
    private boolean borrowed;
    private boolean over;
    private long received;

    /**
     * The feed of one attempt.
     *
     * @param attempt is notified of every part that has arrived, and of pauses
     */
    BodyFeed(BodySink sink, WriteTracker attempt) {
        this.sink = sink;
        this.attempt = attempt;
    }

    /** Notes that the memory of the bytes belongs to another HTTP client. */
    synchronized void borrows() {
        borrowed = true;
    }

    @Override
    public synchronized void begin(int status, StorageResponse.Headers headers, long length) throws IOException {
        if (over) {
            return;
        }
        begun = true;
        attempt.moved();
        try {
            sink.begin(status, headers, length);
        } catch (RuntimeException | Error thrown) {
            throw refused(thrown);
        }
    }

    private RefusedBodyException refused(Throwable thrown) {
        over = true;
        return new RefusedBodyException(
                thrown instanceof RuntimeException unchecked
                        ? unchecked
                        : new IllegalStateException("the receiver of a response body threw " + thrown, thrown));
    }

    /** Returns the bytes that have gone this way. */
    synchronized long received() {
        return received;
    }

    /** Returns whether the body of a response goes this way. */
    synchronized boolean begun() {
        return begun;
    }

    @Override
    public synchronized boolean add(ByteBuf part, int length) throws IOException {
        if (over) {
            part.skipBytes(length);
            return true;
        }
        attempt.moved();
        received += length;
        try {
            sink.add(new BodyPart(part, length, borrowed));
            part.skipBytes(length);
            return true;
        } catch (RuntimeException | Error thrown) {
            throw refused(thrown);
        }
    }

    /**
     * Returns whether the connection is to read on: always in a response whose body does not go this way.
     *
     * @param again run once it is, on any thread, if this returns false and the attempt is not over by then
     */
    public synchronized boolean ready(Runnable again) {
        if (over || !begun) {
            return true;
        }
        boolean more = sink.ready(() -> goOn(again));
        if (!more) {
            attempt.pauses();
        }
        return more;
    }

    private void goOn(Runnable again) {
        synchronized (this) {
            if (over) {
                return;
            }
            attempt.resumed();
        }
        again.run();
    }

    @Override
    public byte[] bytes() {
        return EMPTY;
    }

    /** Closes the way after the attempt. Waits for a piece that is just being taken. */
    synchronized void close() {
        over = true;
    }
}
