package io.stowline.benchmarks.side.stub;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Blobs;
import io.stowline.benchmarks.side.work.Cities;
import io.stowline.benchmarks.side.work.Orders;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A handler that reads requests as they come in and responds to each when its body is complete, at once or after a delay. */
final class StubConnection extends ChannelInboundHandlerAdapter {

    private static final String ROW_KEY = "RowKey=";
    private static final String PAGE_TOKEN = "1!12!";

    private final StubResponses responses;
    private final long delayNanos;
    private final EntityTarget target;
    private final RequestHead head = new RequestHead();
    private final PartCount parts = new PartCount();
    private boolean inBody;
    private boolean batch;
    private boolean description;
    private int left;

    StubConnection(StubResponses responses, long delayNanos, EntityTarget target) {
        this.responses = responses;
        this.delayNanos = delayNanos;
        this.target = target;
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
        description = head.pathContains(StubDescription.PATH);
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
        } else if (description) {
            responses.description().take(bytes, taken);
        }
        bytes.readerIndex(end);
        left -= taken;
        if (left == 0) {
            inBody = false;
            end(context);
        }
    }

    private void end(ChannelHandlerContext context) {
        long wait = target.admit(batch ? parts.operations() : 1, System.nanoTime());
        StubServerResponse response = wait == EntityTarget.REFUSED ? responses.busy() : respond();
        long delay = delayNanos + Math.max(0, wait);
        head.clear();
        if (delay == 0) {
            ChannelFuture unused = context.write(response.bytes(), context.voidPromise());
        } else {
            Future<?> unused = context.executor().schedule(() -> late(context, response), delay, TimeUnit.NANOSECONDS);
        }
    }

    private static void late(ChannelHandlerContext context, StubServerResponse response) {
        ChannelFuture unused = context.writeAndFlush(response.bytes(), context.voidPromise());
    }

    private StubServerResponse respond() {
        if (head.chunked()) {
            return responses.refused();
        }
        if (batch) {
            responses.cities().countTransaction();
            return responses.batch(parts.operations());
        }
        if (description) {
            return responses.description().respond(head, responses.written(head.is("POST ")));
        }
        if (head.pathContains("/" + Cities.TABLE)) {
            return responses.cities().respond(head);
        }
        if (head.pathContains("/" + Account.CONSUMED)) {
            return responses.queues().respond(head);
        }
        if (head.pathContains("/" + Blobs.CONTAINER)) {
            return responses.container().respond(head);
        }
        if (head.pathContains("/messages")) {
            return head.is("GET ") ? responses.received() : head.is("POST ") ? responses.sent() : responses.deleted();
        }
        if (!head.is("GET ")) {
            return responses.written(head.is("POST "));
        }
        if (head.pathContains("()")) {
            return responses.page(head.accepts(), select(), page());
        }
        long row = head.pathDigits(ROW_KEY);
        return head.pathContains("/" + Account.SIZED)
                ? responses.sized(head.accepts(), row)
                : responses.entity(head.accepts(), Orders.number(row));
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
