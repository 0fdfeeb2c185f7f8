package io.stowline.transport.internal.netty.direct;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** A channel whose socket takes as many bytes as the test lets it take. */
final class NarrowChannel extends EmbeddedChannel {

    /** The bytes that a buffer in the queue counts beyond its own. */
    private static final long OVERHEAD = 1 << 10;

    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private long free;
    private long max;

    @Override
    protected void doWrite(ChannelOutboundBuffer queue) throws Exception {
        // The constructor of the superclass may write, too.
        max = Math.max(max, queue.totalPendingWriteBytes());
        while (free > 0 && queue.current() instanceof ByteBuf bytes) {
            int length = (int) Math.min(free, bytes.readableBytes());
            bytes.getBytes(bytes.readerIndex(), taken, length);
            free -= length;
            queue.removeBytes(length);
            max = Math.max(max, queue.totalPendingWriteBytes());
        }
    }

    /** Lets so many more bytes through. */
    void take(long bytes) {
        free += bytes;
        flush();
        runPendingTasks();
    }

    /** Returns the bytes that have gone through. */
    byte[] taken() {
        return taken.toByteArray();
    }

    /** The most bytes that have waited at once, without what the queue counts for itself. */
    long maxWaiting() throws IOException {
        return max - OVERHEAD;
    }
}
