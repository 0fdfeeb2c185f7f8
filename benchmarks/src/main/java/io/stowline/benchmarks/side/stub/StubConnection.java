package io.stowline.benchmarks.side.stub;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Blobs;
import io.stowline.benchmarks.side.work.Orders;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Reads requests as they come in and responds to each when its body is complete, at once or after a delay. */
final class StubConnection extends ChannelInboundHandlerAdapter {

    private static final String ROW_KEY = "RowKey=";
    private static final String PAGE_TOKEN = "1!12!";

    private final StubAnswers answers;
    private final long delayNanos;
    private final RequestHead head = new RequestHead();
    private final PartCount parts = new PartCount();
    private boolean inBody;
    private boolean batch;
    private int left;

    StubConnection(StubAnswers answers, long delayNanos) {
        this.answers = answers;
        this.delayNanos = delayNanos;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            while (bytes.isReadable()) {
                if (inBody) {
                    body(context, bytes);
                } else if (head.endsWith(bytes.readByte())) {
                    begin(context);
                }
            }
        } finally {
            bytes.release();
        }
    }

    private void begin(ChannelHandlerContext context) {
        left = head.contentLength();
        batch = head.pathContains("/$batch");
        parts.clear();
        inBody = left > 0;
        if (!inBody) {
            end(context);
        }
    }

    private void body(ChannelHandlerContext context, ByteBuf bytes) {
        int taken = Math.min(left, bytes.readableBytes());
        int end = bytes.readerIndex() + taken;
        if (batch) {
            parts.take(bytes, end);
        }
        bytes.readerIndex(end);
        left -= taken;
        if (left == 0) {
            inBody = false;
            end(context);
        }
    }

    private void end(ChannelHandlerContext context) {
        Answer answer = answer();
        head.clear();
        if (delayNanos == 0) {
            ChannelFuture unused = context.write(answer.bytes(), context.voidPromise());
        } else {
            Future<?> unused =
                    context.executor().schedule(() -> late(context, answer), delayNanos, TimeUnit.NANOSECONDS);
        }
    }

    private static void late(ChannelHandlerContext context, Answer answer) {
        ChannelFuture unused = context.writeAndFlush(answer.bytes(), context.voidPromise());
    }

    private Answer answer() {
        if (head.chunked()) {
            return answers.refused();
        }
        if (batch) {
            return answers.batch(parts.operations());
        }
        if (head.pathContains("/" + Account.CONSUMED)) {
            return answers.queue().answer(head);
        }
        if (head.pathContains("/" + Blobs.CONTAINER)) {
            return answers.container().answer(head);
        }
        if (head.pathContains("/messages")) {
            return head.is("GET ") ? answers.received() : head.is("POST ") ? answers.sent() : answers.deleted();
        }
        if (!head.is("GET ")) {
            return answers.written(head.is("POST "));
        }
        return head.pathContains("()")
                ? answers.page(head.accepts(), select(), page())
                : answers.entity(head.accepts(), Orders.number(head.pathDigits(ROW_KEY)));
    }

    private String select() {
        return URLDecoder.decode(head.option("$select"), StandardCharsets.US_ASCII)
                .replace(" ", "");
    }

    /** The number in this server's token; none means the first page. */
    private int page() {
        String token = URLDecoder.decode(head.option("NextPartitionKey"), StandardCharsets.US_ASCII);
        return token.startsWith(PAGE_TOKEN) ? Integer.parseInt(token.substring(PAGE_TOKEN.length())) + 1 : 1;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        ChannelFuture unused = context.close();
    }
}
