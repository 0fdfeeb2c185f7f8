package io.stowline.transport.internal;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/**
 * Which attempt a connection carries, for the end of an attempt that is given up: its connection is reset. An orderly close would
 * have the kernel deliver what is buffered, and under TLS would first wait until it has left. All of it happens on the connection's
 * event loop, so that a connection which has gone on to another attempt is left alone.
 */
final class Carried {

    private static final AttributeKey<Sending> SENDING = AttributeKey.valueOf(Carried.class, "sending");

    private Carried() {}

    /** The head of a request is about to be written. */
    static void begin(Channel channel, @Nullable Sending sending) {
        channel.attr(SENDING).set(sending);
        if (sending == null) {
            return;
        }
        sending.carriedBy(() -> reset(channel, sending));
        if (!sending.markWritten()) {
            // Its attempt ended while the connection was being made, and counts as never written.
            reset(channel, sending);
        }
    }

    /** The answer has come whole. */
    static void end(Channel channel) {
        channel.attr(SENDING).set(null);
    }

    private static void reset(Channel channel, Sending sending) {
        if (channel.eventLoop().inEventLoop()) {
            resetNow(channel, sending);
        } else {
            channel.eventLoop().execute(() -> resetNow(channel, sending));
        }
    }

    private static void resetNow(Channel channel, Sending sending) {
        if (channel.attr(SENDING).get() == sending && channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            // Past the handlers: that of TLS would flush before it closes.
            channel.unsafe().close(channel.voidPromise());
        }
    }
}
