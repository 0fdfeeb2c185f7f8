package io.stowline.transport.internal.netty.direct;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.stowline.transport.internal.http.BodySlices;

/**
 * Writes the body of one request slice by slice, as the connection has room. The slices are views of the request's memory, so that only
 * those on their way to the socket have a copy in direct memory. All of it happens on the event loop.
 */
final class SliceWriter implements ChannelFutureListener {

    private final Channel channel;
    private final PendingResponse request;
    private final BodySlices slices;
    private final ChannelFutureListener end;

    /**
     * The writer of one body.
     *
     * @param end hears of the last slice, and of any that fails
     */
    SliceWriter(Channel channel, PendingResponse request, BodySlices slices, ChannelFutureListener end) {
        this.channel = channel;
        this.request = request;
        this.slices = slices;
        this.end = end;
    }

    /** Writes while the connection has room, unless the request is over. */
    void writeOn() {
        while (slices.hasNext() && channel.isWritable() && request.carried()) {
            ChannelFuture write = channel.write(Unpooled.wrappedBuffer(slices.next()));
            write.addListener(slices.hasNext() ? this : end);
        }
        channel.flush();
    }

    /** A slice has left, or never will. */
    @Override
    public void operationComplete(ChannelFuture write) throws Exception {
        if (write.isSuccess()) {
            request.moved();
        } else {
            end.operationComplete(write);
        }
    }
}
