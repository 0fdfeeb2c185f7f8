package io.stowline.transport.internal.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a body as one attempt sends them, slice by slice. A slice whose bytes are still being read is not there yet; a listener is notified
 * when it is. All methods are called by one thread at a time, that of the connection.
 */
public interface BodySlices extends AutoCloseable {

    /** Returns whether slices are left to be sent. */
    boolean hasNext();

    /**
     * Returns the next slice.
     *
     * @return its bytes, which the receiver releases, or {@code null} if they are not there yet: then the listener is called once
     * @throws UnreadableBodyException if the body cannot be read
     */
    @Nullable
    ByteBuf next();

    /** Frees the memory of slices that were not taken, after the attempt. Closing it again does nothing. */
    @Override
    void close();

    /** Views of memory, all of which are there. */
    static BodySlices inMemory(Iterator<ByteBuffer> slices) {
        return new MemorySlices(slices);
    }

    /** The slices of a body that lies in memory: views of that memory. Not thread-safe. */
    final class SliceIterator implements Iterator<ByteBuffer> {

        private final List<ByteBuffer> parts;
        private final int max;
        private int part;
        private int at;

        /**
         * The slices from the beginning.
         *
         * @param parts the body
         * @param max the most bytes of a slice; one is shorter where the body or one of its parts ends
         */
        SliceIterator(List<ByteBuffer> parts, int max) {
            this.parts = parts;
            this.max = max;
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
            int length = Math.min(max, from.remaining() - at);
            ByteBuffer slice = from.slice(from.position() + at, length);
            at += length;
            skipEmpty();
            return slice;
        }
    }

    /** The slices of a body that lies in memory. */
    record MemorySlices(Iterator<ByteBuffer> slices) implements BodySlices {

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

        /** Makes the exception with the cause that the caller gets. */
        public UnreadableBodyException(RuntimeException cause) {
            super(cause);
        }
    }
}
