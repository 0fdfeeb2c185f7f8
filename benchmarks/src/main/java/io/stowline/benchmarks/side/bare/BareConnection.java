package io.stowline.benchmarks.side.bare;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** One connection with one request at a time. */
final class BareConnection extends ChannelInboundHandlerAdapter {

    private static final ByteBuf HEAD_END = ascii("\r\n\r\n");
    private static final ByteBuf LENGTH = ascii("Content-Length: ");
    private static final int STATUS_AT = 9;
    private static final int UNKNOWN = -1;

    private final BareExchange exchange;
    private @Nullable ByteBuf received;
    private @Nullable ChannelHandlerContext context;
    private @Nullable BareRound round;
    private int bodyAt = UNKNOWN;
    private int end;
    private long sent;

    BareConnection(BareExchange exchange) {
        this.exchange = exchange;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        this.context = context;
        this.received = context.alloc().buffer(64 * 1024);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (received != null) {
            received.release();
        }
    }

    /** Begins a round, on the event loop. */
    void begin(BareRound given) {
        round = given;
        if (context == null || !context.channel().isActive()) {
            given.failed(new IllegalStateException("there is no connection"));
        } else {
            send(context);
        }
    }

    private void send(ChannelHandlerContext context) {
        ByteBuf out = context.alloc().buffer(1_024);
        exchange.request(out);
        sent = System.nanoTime();
        ChannelFuture unused = context.writeAndFlush(out, context.voidPromise());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (received != null) {
            received.writeBytes(bytes);
            bytes.release();
            check(context, received);
        }
    }

    private void check(ChannelHandlerContext context, ByteBuf received) {
        if (bodyAt == UNKNOWN) {
            int at = ByteBufUtil.indexOf(HEAD_END, received);
            if (at < 0) {
                return;
            }
            bodyAt = at + 4;
            end = bodyAt + length(received);
        }
        if (received.writerIndex() >= end && round != null) {
            int items = exchange.response(number(received, STATUS_AT), received.readerIndex(bodyAt));
            round.add(items, System.nanoTime() - sent);
            received.clear();
            bodyAt = UNKNOWN;
            if (round.isOver()) {
                round.ended();
            } else {
                send(context);
            }
        }
    }

    private int length(ByteBuf received) {
        return number(received, ByteBufUtil.indexOf(LENGTH, received) + LENGTH.readableBytes());
    }

    private static int number(ByteBuf bytes, int from) {
        int value = 0;
        for (int at = from; bytes.getByte(at) >= '0'; at++) {
            value = value * 10 + bytes.getByte(at) - '0';
        }
        return value;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (round != null) {
            round.failed(cause);
        }
        ChannelFuture unused = context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (round != null) {
            round.failed(new IllegalStateException("the server has closed a connection"));
        }
    }

    private static ByteBuf ascii(String text) {
        return Unpooled.unreleasableBuffer(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
    }
}
