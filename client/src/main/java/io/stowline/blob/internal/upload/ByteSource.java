package io.stowline.blob.internal.upload;

import io.stowline.blob.internal.base.ComputeThreads;
import io.stowline.blob.internal.base.Md5;
import io.stowline.blob.internal.upload.Upload.FileOpening;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A source of content of known length for an upload: cut into blocks from its beginning to its end, by one thread at a
 * time.
 */
public interface ByteSource extends AutoCloseable {

    /** Returns the length of the content. */
    long length();

    /** Returns the memory that the next block of at most this size takes until it has arrived. */
    int bufferedBytes(int max);

    /**
     * Returns the next block: as many bytes as requested unless the source ends.
     *
     * @param index its place
     * @param blobDigest the digest of the whole content, to which the source adds what it reads anyway
     */
    UploadBlock next(int index, int max, MessageDigest blobDigest) throws IOException;

    /** Returns the beginning of the content, at most so many bytes; the next block begins where it would without this. */
    ByteBuffer beginning(int max) throws IOException;

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
        public int bufferedBytes(int max) {
            return 0;
        }

        @Override
        public UploadBlock next(int index, int max, MessageDigest blobDigest) {
            int size = Math.min(max, left.remaining());
            ByteBuffer next = left.slice(left.position(), size);
            left.position(left.position() + size);
            return new UploadBlock(index, List.of(next), 0);
        }

        @Override
        public ByteBuffer beginning(int max) {
            return left.slice(0, Math.min(max, left.capacity()));
        }

        @Override
        public void close() {}
    }

    /**
     * A file as it was when it was opened: its length, its time and what the file system knows it by. Blocks of more than {@link #SMALL} stay
     * in the file and are read again when they are sent.
     */
    static final class FileSource implements ByteSource, FileBody.FileBodySource {

        /** The largest block that is kept in memory. */
        static final int SMALL = 256 << 10;

        /** The JDK keeps a direct buffer for each thread, as long as the longest array that the thread has filled at once. */
        private static final int PIECE = ComputeThreads.PIECE;

        private final Path path;
        private final FileOpening opening;
        private final Function<IOException, RuntimeException> failures;
        private final FileChannel channel;
        private final FileState state;
        private long position;

        /**
         * Opens a file.
         *
         * @param failures what the caller gets for an error of the file
         */
        public FileSource(Path path, FileOpening opening, Function<IOException, RuntimeException> failures)
                throws IOException {
            this.path = path;
            this.opening = opening;
            this.failures = failures;
            // Before it is opened: opening a pipe would wait for its writer.
            this.state = state();
            this.channel = opening.open(path);
            try {
                refuseHiddenLength();
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        }

        /** Files of a system, such as those in {@code /proc}, have content and no length. */
        private void refuseHiddenLength() throws IOException {
            if (state.length == 0 && channel.read(ByteBuffer.allocate(1), 0) > 0) {
                check();
                throw new IOException(path + " has a length of 0 and content; upload a stream that reads it");
            }
        }

        /** The identity of one content of a file. */
        private record FileState(
                long length, FileTime modified, @Nullable Object key) {}

        private FileState state() throws IOException {
            BasicFileAttributes seen = opening.attributes(path);
            if (seen.isDirectory()) {
                throw new IOException(path + " is a folder; upload it with uploadDirectory");
            }
            if (!seen.isRegularFile()) {
                throw new IOException(
                        path + " is a device, a pipe or a socket, which has no length; upload a stream that reads it");
            }
            return new FileState(seen.size(), seen.lastModifiedTime(), seen.fileKey());
        }

        Path path() {
            return path;
        }

        public Instant modified() {
            return state.modified.toInstant();
        }

        /** Reads the whole file, which must not have changed, into memory. */
        ArraySource whole() throws IOException {
            byte[] content = new byte[(int) state.length];
            for (int at = 0; at < content.length; at += PIECE) {
                read(ByteBuffer.wrap(content, at, Math.min(PIECE, content.length - at)), at);
            }
            check();
            return new ArraySource(content);
        }

        @Override
        public long length() {
            return state.length;
        }

        private int size(int max) {
            return (int) Math.min(max, state.length - position);
        }

        @Override
        public int bufferedBytes(int max) {
            int size = size(max);
            return size > SMALL ? FileBlock.BUFFERED_BYTES : size;
        }

        @Override
        public UploadBlock next(int index, int max, MessageDigest blobDigest) throws IOException {
            long from = position;
            int size = size(max);
            position += size;
            if (size > SMALL) {
                return new FileBlock(index, this, from, size, hash(from, size, blobDigest));
            }
            List<ByteBuffer> pieces = new ArrayList<>();
            for (int at = 0; at < size; at += PIECE) {
                ByteBuffer piece = ByteBuffer.allocate(Math.min(PIECE, size - at));
                read(piece, from + at);
                pieces.add(piece.flip());
            }
            return new UploadBlock(index, pieces, size);
        }

        @Override
        public ByteBuffer beginning(int max) throws IOException {
            ByteBuffer beginning = ByteBuffer.allocate((int) Math.min(max, state.length));
            read(beginning, 0);
            return beginning.flip();
        }

        /** Reads a part for its MD5 and adds it to another digest, if there is one: one piece is hashed while the next one is read. */
        byte[] hash(long from, int size, @Nullable MessageDigest blobDigest) throws IOException {
            MessageDigest own = Md5.begin();
            CompletableFuture<Void> added = CompletableFuture.completedFuture(null);
            byte[] piece = new byte[Math.min(PIECE, size)];
            byte[] other = blobDigest == null ? piece : new byte[piece.length];
            for (int at = 0; at < size; at += piece.length) {
                byte[] bytes = piece;
                int length = Math.min(bytes.length, size - at);
                read(ByteBuffer.wrap(bytes, 0, length), from + at);
                added.join();
                if (blobDigest != null) {
                    added = ComputeThreads.beside(() -> blobDigest.update(bytes, 0, length));
                }
                own.update(bytes, 0, length);
                piece = other;
                other = bytes;
            }
            added.join();
            return own.digest();
        }

        @Override
        public void read(ByteBuffer target, long from) throws IOException {
            long at = from;
            while (target.hasRemaining()) {
                int read = channel.read(target, at);
                if (read < 0) {
                    throw shrunk();
                }
                at += read;
            }
        }

        @Override
        public RuntimeException failure(IOException error) {
            return failures.apply(error);
        }

        private IOException shrunk() throws IOException {
            return new IOException(
                    path + " had " + state.length + " bytes when its upload began, and has " + channel.size() + " now");
        }

        @Override
        public void check() throws IOException {
            FileState now = state();
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
