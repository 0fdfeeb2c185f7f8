package io.stowline.transport.internal.http;

import io.netty.buffer.ByteBuf;
import io.stowline.transport.internal.http.BodySink.RefusedBodyException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The way of one attempt's answer into a sink. Nothing reaches the sink once the attempt is over: the next one may have begun, or the memory
 * of the sink may serve another request. Thread-safe.
 */
public final class BodyFeed implements ResponseBody {

    private static final byte[] EMPTY = new byte[0];

    private final BodySink sink;
    private final Runnable moved;
    private boolean begun;
    private boolean over;

    /**
     * The feed of one attempt.
     *
     * @param moved called for every piece that has arrived
     */
    public BodyFeed(BodySink sink, Runnable moved) {
        this.sink = sink;
        this.moved = moved;
    }

    /**
     * The head of a successful answer has arrived and belongs to the request.
     *
     * @param length the length of its body, or a negative number if that is not known
     */
    public synchronized void begin(int status, StorageResponse.Headers headers, long length) throws IOException {
        if (over) {
            return;
        }
        begun = true;
        moved.run();
        try {
            sink.begin(status, headers, length);
        } catch (RuntimeException thrown) {
            over = true;
            throw new RefusedBodyException(thrown);
        }
    }

    /** Whether the body of an answer has begun to go this way. */
    synchronized boolean begun() {
        return begun;
    }

    @Override
    public synchronized boolean add(ByteBuf part, int length) throws IOException {
        if (over) {
            part.skipBytes(length);
            return true;
        }
        moved.run();
        try {
            if (part.nioBufferCount() == 1) {
                sink.add(part.nioBuffer(part.readerIndex(), length));
            } else {
                for (ByteBuffer piece : part.nioBuffers(part.readerIndex(), length)) {
                    sink.add(piece);
                }
            }
            part.skipBytes(length);
            return true;
        } catch (RuntimeException thrown) {
            over = true;
            throw new RefusedBodyException(thrown);
        }
    }

    @Override
    public byte[] bytes() {
        return EMPTY;
    }

    /** The attempt is over. A piece that is just being taken is waited for. */
    synchronized void close() {
        over = true;
    }
}
