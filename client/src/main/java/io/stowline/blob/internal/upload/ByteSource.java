package io.stowline.blob.internal.upload;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where the content of an upload comes from whose length is known: read once, from its beginning to its end, by one thread at a time. */
interface ByteSource extends AutoCloseable {

    /** How much there is. */
    long length();

    /** The next bytes, in pieces of memory: as many as requested unless the source ends. They are not changed later. */
    List<ByteBuffer> read(int most) throws IOException;

    /** Whether what was read takes memory that would be free without it. */
    boolean copies();

    /** Refuses what has changed since the source was opened (TRANSFER-1). */
    void check() throws IOException;

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
        public List<ByteBuffer> read(int most) {
            int size = Math.min(most, left.remaining());
            ByteBuffer next = left.slice(left.position(), size);
            left.position(left.position() + size);
            return List.of(next);
        }

        @Override
        public boolean copies() {
            return false;
        }

        @Override
        public void check() {}

        @Override
        public void close() {}
    }

    /** A file as it was when it was opened: its length, its time and what the file system knows it by. */
    static final class FileSource implements ByteSource {

        /**
         * The size of a piece. The JDK keeps a direct buffer for each thread, as long as the longest array that the thread has filled at once;
         * and G1 finds room for arrays of half a region or more only where regions lie side by side.
         */
        private static final int PIECE = 256 << 10;

        private final Path path;
        private final FileChannel channel;
        private final FileState state;
        private long position;

        FileSource(Path path) throws IOException {
            this.path = path;
            this.channel = FileChannel.open(path, StandardOpenOption.READ);
            try {
                this.state = FileState.of(path);
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        }

        /** What tells one content of a file from another. */
        private record FileState(
                long length, FileTime modified, @Nullable Object key) {

            static FileState of(Path path) throws IOException {
                BasicFileAttributes seen = Files.readAttributes(path, BasicFileAttributes.class);
                return new FileState(seen.size(), seen.lastModifiedTime(), seen.fileKey());
            }
        }

        @Override
        public long length() {
            return state.length;
        }

        @Override
        public List<ByteBuffer> read(int most) throws IOException {
            List<ByteBuffer> pieces = new ArrayList<>();
            long end = Math.min(state.length, position + most);
            while (position < end) {
                pieces.add(piece((int) Math.min(PIECE, end - position)));
            }
            return pieces;
        }

        private ByteBuffer piece(int size) throws IOException {
            ByteBuffer piece = ByteBuffer.allocate(size);
            while (piece.hasRemaining()) {
                int read = channel.read(piece, position);
                if (read < 0) {
                    throw shrunk();
                }
                position += read;
            }
            return piece.flip();
        }

        private IOException shrunk() throws IOException {
            return new IOException(
                    path + " had " + state.length + " bytes when its upload began, and has " + channel.size() + " now");
        }

        @Override
        public boolean copies() {
            return true;
        }

        @Override
        public void check() throws IOException {
            FileState now = FileState.of(path);
            if (now.length != state.length) {
                throw shrunk();
            }
            if (!now.modified.equals(state.modified)) {
                throw new IOException(path + " was modified at " + state.modified + " when its upload began, and at "
                        + now.modified + " now");
            }
            if (!Objects.equals(now.key, state.key)) {
                throw new IOException(path + " was replaced by another file while it was uploaded");
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
