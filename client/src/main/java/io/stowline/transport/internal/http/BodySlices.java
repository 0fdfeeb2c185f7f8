package io.stowline.transport.internal.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a body as one attempt sends them, slice by slice. A slice whose bytes are still being read is not there yet; a listener hears
 * when it is. All methods are called by one thread at a time, that of the connection.
 */
public interface BodySlices extends AutoCloseable {

    /** Whether slices are left to be sent. */
    boolean hasNext();

    /**
     * The next slice.
     *
     * @return its bytes, which the receiver releases, or {@code null} if they are not there yet: then the listener is called once
     * @throws UnreadableBodyException if the body cannot be read
     */
    @Nullable
    ByteBuf next();

    /** The attempt is over: memory of slices that were not taken is free. Closing it again does nothing. */
    @Override
    void close();

    /** Views of memory, all of which are there. */
    static BodySlices inMemory(Iterator<ByteBuffer> slices) {
        return new InMemory(slices);
    }

    /** Of a body that lies in memory. */
    record InMemory(Iterator<ByteBuffer> slices) implements BodySlices {

        @Override
        public boolean hasNext() {
            return slices.hasNext();
        }

        @Override
        public ByteBuf next() {
            return Unpooled.wrappedBuffer(slices.next());
        }

        @Override
        public void close() {
            // The memory is the request's.
        }
    }

    /** The end of a request whose body cannot be read. The service has not got all of it and carries nothing out. */
    final class UnreadableBodyException extends LocalBodyException {

        private static final long serialVersionUID = 1L;

        /** With the exception that the caller gets. */
        public UnreadableBodyException(RuntimeException cause) {
            super(cause);
        }
    }
}
