package io.stowline.transport.internal.netty.direct;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.WriteBufferWaterMark;
import io.stowline.transport.internal.http.BodySlices;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * A writer of one request's body, slice by slice, as the connection has room and the slices are there. Those of a body in memory are views
 * of it, so that only those on their way to the socket have a copy in direct memory. All of it happens on the event loop, except where a
 * method documents another thread.
 */
final class SliceWriter implements ChannelFutureListener {

    /** The upper bound and one more slice wait for the socket at most. */
    private static final WriteBufferWaterMark ROOM = new WriteBufferWaterMark(RequestBody.SLICE, 2 * RequestBody.SLICE);

    /** Wider for a body in memory: a system call for each few slices costs a twentieth of an upload. */
    private static final WriteBufferWaterMark WIDE =
            new WriteBufferWaterMark(2 * RequestBody.SLICE, 8 * RequestBody.SLICE);

    private final Channel channel;
    private final PendingResponse pending;
    private final BodySlices slices;
    private final Consumer<ChannelFuture> end;

    /**
     * The writer of one body.
     *
     * @param end is notified of the last slice, and of any that fails
     */
    SliceWriter(Channel channel, PendingResponse pending, RequestBody body, Consumer<ChannelFuture> end) {
        this.channel = channel;
        this.pending = pending;
        this.end = end;
        channel.config().setWriteBufferWaterMark(body.inMemory() ? WIDE : ROOM);
        this.slices = body.slices(channel.alloc(), this::ready);
    }

    /** Writes while the connection has room and slices are there, unless the request is over. */
    void writeOn() {
        try {
            while (slices.hasNext() && channel.isWritable() && pending.carried()) {
                ByteBuf slice = slices.next();
                if (slice == null) {
                    break;
                }
                ChannelFuture write = channel.write(slice);
                write.addListener(slices.hasNext() ? this : last -> end.accept(write));
            }
        } catch (RuntimeException | OutOfMemoryError unreadable) {
            end.accept(channel.newFailedFuture(unreadable));
        }
        channel.flush();
    }

    /** Called on any thread when a slice has become available. */
    private void ready() {
        try {
            channel.eventLoop().execute(this::writeOn);
        } catch (RejectedExecutionException closed) {
            // The loop has closed its connections with its own end.
        }
    }

    /** Counts a slice that has left, or ends if it never will. */
    @Override
    public void operationComplete(ChannelFuture write) {
        if (write.isSuccess()) {
            pending.tracker().moved();
        } else {
            end.accept(write);
        }
    }

    /** Frees the slices, after the body has left or its request is over. */
    void close() {
        slices.close();
    }
}
