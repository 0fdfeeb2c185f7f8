package io.stowline.blob.internal.upload;

import io.netty.buffer.ByteBufAllocator;
import io.stowline.transport.internal.http.BodySlices;
import io.stowline.transport.internal.http.BodySlices.UnreadableBodyException;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/**
 * A body that is a part of a file. Each attempt reads it from its beginning, on other threads than the connection's, and holds a few slices of
 * it at a time. Thread-safe.
 */
public final class FileBody implements RequestBody {

    /** The slices that an attempt reads ahead of its connection; half of them at a time, since each time wakes a thread. */
    static final int AHEAD = 4;

    /** The most slices that wait for the socket: those that close the connection for more, and the last one before. */
    private static final int IN_CONNECTION = 3;

    /** The most memory that an attempt holds. */
    public static final int MAX_BUFFERED_BYTES = (AHEAD + IN_CONNECTION) * SLICE;

    private final FileBodySource source;
    private final long from;
    private final int length;
    private final Executor threads;

    /** The file, which any number of threads reads at once. */
    public interface FileBodySource {

        /**
         * Fills the target.
         *
         * @param position where the bytes are in the file
         * @throws IOException if the file has no such bytes any longer, or cannot be read
         */
        void read(ByteBuffer target, long position) throws IOException;

        /** Refuses a file that has changed since its upload began. */
        void check() throws IOException;

        /** Returns the caller's exception for an error of this file. */
        RuntimeException failure(IOException error);
    }

    /**
     * A part of a file.
     *
     * @param from where it begins in the file
     * @param length how many bytes it has, more than {@link #MAX_COMPLETE}
     * @param threads where the file is read
     */
    public FileBody(FileBodySource source, long from, int length, Executor threads) {
        if (length <= MAX_COMPLETE) {
            throw new IllegalArgumentException("a body of " + length + " bytes is sent in one piece");
        }
        this.source = source;
        this.from = from;
        this.length = length;
        this.threads = threads;
    }

    @Override
    public int length() {
        return length;
    }

    /** Reads all of it on this thread. */
    @Override
    public void write(byte[] target, int at) {
        read(ByteBuffer.wrap(target, at, length), 0);
    }

    @Override
    public boolean inMemory() {
        return false;
    }

    @Override
    public BodySlices slices(ByteBufAllocator memory, Runnable ready) {
        return new FileSlices(this, memory, threads, ready);
    }

    /**
     * Returns the pieces. Each has separate memory, since no other HTTP client reports when it needs a piece no longer.
     */
    @Override
    public Flux<ByteBuffer> pieces(int max) {
        return Flux.<ByteBuffer, Integer>generate(() -> 0, (at, sink) -> {
                    ByteBuffer piece = ByteBuffer.allocate(Math.min(max, length - at));
                    read(piece, at);
                    int end = at + piece.capacity();
                    sink.next(piece.flip());
                    if (end == length) {
                        sink.complete();
                    }
                    return end;
                })
                .subscribeOn(Schedulers.fromExecutor(threads));
    }

    /** Fills the target with the bytes that begin so far behind the beginning of the part. */
    void read(ByteBuffer target, int at) {
        try {
            if (at == 0) {
                // An attempt begins: what an earlier one has sent is of no use if the file is another now.
                source.check();
            }
            source.read(target, from + at);
        } catch (IOException e) {
            throw new UnreadableBodyException(source.failure(e));
        }
    }
}
