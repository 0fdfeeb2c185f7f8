package io.stowline.blob.internal.upload;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where the content of an upload comes from: read once, from its beginning to its end, by one thread that may block. */
interface ByteSource extends AutoCloseable {

    /** What {@link #length} says when it is not known. */
    long UNKNOWN = -1;

    /** How much there is, if that is known before. */
    long length();

    /** The next bytes: as many as requested unless the source ends, none at its end. They are not changed later. */
    ByteBuffer read(int most) throws IOException;

    /** How much memory these bytes keep that would be free without them. */
    default long held(ByteBuffer bytes) {
        return bytes.capacity();
    }

    @Override
    void close() throws IOException;

    /** Content that is in memory already. */
    static final class ArraySource implements ByteSource {

        private final ByteBuffer left;

        ArraySource(byte[] content) {
            this.left = ByteBuffer.wrap(content);
        }

        @Override
        public long length() {
            return left.capacity();
        }

        @Override
        public ByteBuffer read(int most) {
            int size = Math.min(most, left.remaining());
            ByteBuffer next = left.slice(left.position(), size);
            left.position(left.position() + size);
            return next;
        }

        @Override
        public long held(ByteBuffer bytes) {
            return 0;
        }

        @Override
        public void close() {}
    }

    /** A file of the length that it had when it was opened. */
    static final class FileSource implements ByteSource {

        private final Path path;
        private final FileChannel channel;
        private final long length;
        private long position;

        FileSource(Path path) throws IOException {
            this.path = path;
            this.channel = FileChannel.open(path, StandardOpenOption.READ);
            this.length = channel.size();
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public ByteBuffer read(int most) throws IOException {
            ByteBuffer next = ByteBuffer.allocate((int) Math.min(most, length - position));
            while (next.hasRemaining()) {
                int read = channel.read(next, position);
                if (read < 0) {
                    throw changed();
                }
                position += read;
            }
            if (position == length && channel.size() != length) {
                throw changed();
            }
            return next.flip();
        }

        private IOException changed() throws IOException {
            return new IOException(
                    path + " had " + length + " bytes when its upload began, and has " + channel.size() + " now");
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** The caller's stream, which stays the caller's to close. */
    static final class StreamSource implements ByteSource {

        /** Short streams do not cost a whole block. */
        private static final int FIRST = 64 * 1024;

        private final InputStream stream;

        StreamSource(InputStream stream) {
            this.stream = stream;
        }

        @Override
        public long length() {
            return UNKNOWN;
        }

        @Override
        public ByteBuffer read(int most) throws IOException {
            byte[] bytes = new byte[Math.min(FIRST, most)];
            int filled = stream.readNBytes(bytes, 0, bytes.length);
            if (filled == bytes.length && filled < most) {
                byte[] whole = new byte[most];
                System.arraycopy(bytes, 0, whole, 0, filled);
                filled += stream.readNBytes(whole, filled, most - filled);
                bytes = whole;
            }
            return ByteBuffer.wrap(bytes, 0, filled);
        }

        @Override
        public void close() {}
    }
}
