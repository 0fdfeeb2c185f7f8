package io.stowline.transport.internal.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.handler.proxy.ProxyConnectionEvent;
import io.netty.handler.proxy.ProxyHandler;
import io.netty.util.AttributeKey;
import io.stowline.transport.internal.http.response.WriteTracker;
import org.jspecify.annotations.Nullable;

/**
 * The link from a connection to its attempt, for the end of an attempt that is given up: its connection is reset. An
 * orderly close would have the kernel deliver the buffered bytes, and under TLS would first wait until they have left.
 * All of it happens on the connection's event loop, so that a connection which carries another attempt by then is left
 * alone.
 */
final class ConnectionReset {

    private static final AttributeKey<WriteTracker> SENDING = AttributeKey.valueOf(ConnectionReset.class, "sending");

    private ConnectionReset() {}

    /** Links the connection, before the head of a request is written. */
    static void begin(Channel channel, @Nullable WriteTracker tracker) {
        channel.attr(SENDING).set(tracker);
        if (tracker == null) {
            return;
        }
        tracker.carriedBy(() -> reset(channel, tracker));
        ProxyHandler proxy = channel.pipeline().get(ProxyHandler.class);
        if (proxy == null || proxy.isConnected()) {
            write(channel, tracker);
        } else {
            // Without TLS the request is made early, and the proxy's handler keeps it until the tunnel is open.
            String name = channel.pipeline().context(proxy).name();
            channel.pipeline().addAfter(name, null, new Tunnel(tracker));
        }
    }

    private static void write(Channel channel, WriteTracker tracker) {
        if (!tracker.markWritten()) {
            // Its attempt ended while the connection was being made, and counts as never written.
            reset(channel, tracker);
        }
    }

    /** A handler that waits until the proxy has opened the tunnel; what was kept is written right after that. */
    private static final class Tunnel extends ChannelInboundHandlerAdapter {

        private final WriteTracker tracker;

        Tunnel(WriteTracker tracker) {
            this.tracker = tracker;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof ProxyConnectionEvent) {
                write(context.channel(), tracker);
                context.pipeline().remove(this);
            }
            context.fireUserEventTriggered(event);
        }
    }

    /** Unlinks the connection, after the whole response. */
    static void end(Channel channel) {
        channel.attr(SENDING).set(null);
    }

    private static void reset(Channel channel, WriteTracker tracker) {
        if (channel.eventLoop().inEventLoop()) {
            resetNow(channel, tracker);
        } else {
            channel.eventLoop().execute(() -> resetNow(channel, tracker));
        }
    }

    private static void resetNow(Channel channel, WriteTracker tracker) {
        if (channel.attr(SENDING).get() == tracker && channel.isOpen()) {
            now(channel);
        }
    }

    /** Resets a connection past the handlers: that of TLS would flush before it closes. */
    static void now(Channel channel) {
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        channel.unsafe().close(channel.voidPromise());
    }
}
