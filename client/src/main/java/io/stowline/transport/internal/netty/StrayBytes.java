package io.stowline.transport.internal.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.proxy.ProxyHandler;
import org.jspecify.annotations.Nullable;

/**
 * A handler that keeps stray bytes from being read as the beginning of the next response (OUTCOME-0). Bytes without an
 * outstanding request are dropped and their connection is closed; so is a connection with bytes behind the end of a
 * response in one read. Stands before the codec, which must not keep bytes between reads: the rest of a line waits
 * here. Serves one connection.
 */
final class StrayBytes extends ChannelInboundHandlerAdapter {

    static final String NAME = "stowline-bytes";

    private final EchoedRequestIds exchange;
    private @Nullable ProxyHandler proxy;
    private @Nullable ByteBuf current;
    private @Nullable ByteBuf rest;
    private boolean ended;

    StrayBytes(EchoedRequestIds exchange) {
        this.exchange = exchange;
    }

    /** Ends the response here; true if bytes behind it were read. */
    boolean end() {
        ended = true;
        return current != null && current.isReadable();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        proxy = context.pipeline().get(ProxyHandler.class);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (rest != null) {
            rest.release();
            rest = null;
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof ByteBuf read)) {
            context.fireChannelRead(message);
            return;
        }
        // Bytes read together with the end of a response cannot be the response to a request that was written right
        // after that end.
        if (ended || !exchange.outstanding() || (proxy != null && !proxy.isConnected())) {
            boolean any = read.isReadable();
            read.release();
            if (any) {
                ConnectionReset.now(context.channel());
            }
            return;
        }
        ByteBuf bytes = joined(read);
        current = bytes.retain();
        try {
            context.fireChannelRead(bytes);
            if (bytes.isReadable() && context.channel().isOpen()) {
                // The codec takes the next read for itself instead of appending it, once it holds nothing to read.
                rest = context.alloc().buffer(bytes.readableBytes()).writeBytes(bytes);
            }
        } finally {
            current = null;
            bytes.release();
        }
    }

    private ByteBuf joined(ByteBuf read) {
        ByteBuf before = rest;
        if (before == null) {
            return read;
        }
        rest = null;
        try {
            return before.writeBytes(read);
        } finally {
            read.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        ended = false;
        context.fireChannelReadComplete();
    }
}
