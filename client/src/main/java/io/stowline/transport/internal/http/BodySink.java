package io.stowline.transport.internal.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;

/**
 * The receiver of the body of a successful response, in place of an array. The bodies of other responses are read as those of any request.
 *
 * <p>The calls come from I/O threads, one after the other, and none comes once the attempt has ended. Each attempt of a request begins with
 * {@link #begin} and may break off anywhere, so a sink knows its position and requests the rest by
 * {@code Request.headersOfAttempt}. Its bounds are the sink's: the bounds of responses that are read whole do not apply.
 *
 * <p>An {@link IOException} of the sink means that the response is broken and ends the attempt, which is tried again like one whose
 * connection broke. A {@link RuntimeException} ends the request at once, without another attempt, and reaches the caller as it is.
 *
 * <p>A sink must not cancel its request, nor wait for a lock under which the request is cancelled.
 */
public interface BodySink {

    /**
     * Begins with the head of a response with a 2xx status.
     *
     * @param contentLength the bytes of the body, or a negative number if the response does not give them
     * @throws IOException if the response makes no sense
     */
    void begin(int status, StorageResponse.Headers headers, long contentLength) throws IOException;

    /**
     * Takes the next bytes of the body.
     *
     * @throws IOException if they make no sense
     */
    void add(BodyPart part) throws IOException;

    /**
     * Returns whether more may come.
     *
     * @param again run once more may come, on any thread, if this returns false
     */
    default boolean ready(Runnable again) {
        return true;
    }

    /** Returns whether bytes that count have come since the last call: then the retries of the request are counted from here. */
    default boolean progressed() {
        return false;
    }

    /** The end of a request whose sink has thrown the cause, which is unchecked. */
    final class RefusedBodyException extends LocalBodyException {

        private static final long serialVersionUID = 1L;

        public RefusedBodyException(RuntimeException cause) {
            super(cause);
        }
    }

    /** Bytes of a body in the memory of the connection that brings them. They are valid during the call that gives them, unless they are kept. */
    final class BodyPart {

        private final ByteBuf memory;
        private final int length;
        private final boolean borrowed;

        /**
         * The next bytes of some memory.
         *
         * @param borrowed whether the memory is another HTTP client's, which does not learn that it is still in use
         */
        public BodyPart(ByteBuf memory, int length, boolean borrowed) {
            this.memory = memory;
            this.length = length;
            this.borrowed = borrowed;
        }

        public int length() {
            return length;
        }

        /** Returns a part of these bytes. */
        public BodyPart part(int from, int count) {
            return from == 0 && count == length
                    ? this
                    : new BodyPart(memory.slice(memory.readerIndex() + from, count), count, borrowed);
        }

        /** Copies all of it into an array, from an index on. */
        public void copyTo(byte[] target, int at) {
            memory.getBytes(memory.readerIndex(), target, at, length);
        }

        /** Returns the same bytes for longer than the call, to be released. */
        public ByteBuf keep() {
            return borrowed
                    ? Unpooled.copiedBuffer(memory.nioBuffer(memory.readerIndex(), length))
                    : memory.retainedSlice(memory.readerIndex(), length);
        }

        /** Returns the memory that is in use as long as it is kept. */
        public int bufferedBytes() {
            return borrowed ? length : Math.max(length, memory.capacity());
        }
    }
}
