package io.stowline.transport.internal.netty.direct;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.response.BodyFeed;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A connection that carries one request at a time: it writes the request, by one flush unless it is long, and reads its
 * response. It goes back to its pool before the subscriber gets the response, and only if the exchange is complete in
 * both directions (OUTCOME-0). All of it happens on its event loop, except where a method documents another thread.
 */
@SuppressWarnings(
        "FutureReturnValueIgnored") // the promise of the write and the end of the channel show what became of it
final class HttpConnection extends ChannelInboundHandlerAdapter implements ChannelFutureListener {

    /**
     * The exchanges with buffers that are not pooled. Netty's pool reports its first ones to the flight recorder, which loads a hundred
     * classes and takes longer than a short program has use for them.
     */
    static final int UNPOOLED_EXCHANGES = 32;

    private final Channel channel;
    private final ConnectionPool pool;
    private final long opened;
    private final ResponseDecoder decoder = new ResponseDecoder();
    private @Nullable PendingResponse current;
    private @Nullable SliceWriter slices;
    private boolean written;
    private boolean responded;
    private boolean clean;
    /** True if the other side has announced its end, which under TLS the end of the stream alone does not. */
    private boolean closeNotified;
    /** The time at which it became idle; guarded by the pool. */
    private long idleSince;

    private long turn;
    private int exchanges;

    HttpConnection(Channel channel, ConnectionPool pool, long opened) {
        this.channel = channel;
        this.pool = pool;
        this.opened = opened;
    }

    Channel channel() {
        return channel;
    }

    EventLoop eventLoop() {
        return channel.eventLoop();
    }

    /** Returns whether it is open, as far as it is known. */
    boolean usable() {
        return channel.isActive();
    }

    long opened() {
        return opened;
    }

    /** Returns whether it keeps a response, which it does only while it carries a request. */
    boolean keepsResponse() {
        return decoder.keepsResponse();
    }

    long idleSince() {
        return idleSince;
    }

    /** Returns its number among the connections that have become idle. */
    long turn() {
        return turn;
    }

    void idle(long now, long count) {
        idleSince = now;
        turn = count;
    }

    /** Carries a request, at once if that is possible here. On any thread. */
    void carry(PendingResponse pending) {
        if (!onLoop(() -> serve(pending))) {
            pool.discard(this);
            pending.fail(ConnectionPool.closedClient());
        }
    }

    /** Carries the first request that goes out, and goes back to the pool if none does. */
    void serve(@Nullable PendingResponse first) {
        PendingResponse next = first;
        while (next != null) {
            if (!usable()) {
                pool.discard(this);
                // Nothing of it was written.
                pool.acquire(next);
                return;
            }
            next = begin(next) ? null : pool.release(this);
        }
    }

    /** Writes a request; false if it does not go out. */
    private boolean begin(PendingResponse pending) {
        if (!pending.carriedBy(this)) {
            return false;
        }
        ByteBuf bytes;
        try {
            bytes = pending.encoded(channel.alloc());
        } catch (RuntimeException | Error refused) {
            pending.fail(refused);
            return false;
        }
        if (!pending.markWritten()) {
            bytes.release();
            pending.fail(new IOException("the attempt was over before it was written"));
            return false;
        }
        current = pending;
        if (++exchanges == UNPOOLED_EXCHANGES && channel.alloc() == UnpooledByteBufAllocator.DEFAULT) {
            channel.config().setAllocator(ByteBufAllocator.DEFAULT);
        }
        written = false;
        responded = false;
        clean = true;
        decoder.begin(pending.bodiless(), pending.tracker().feed(), pending.maxResponse());
        RequestBody body = pending.slicedBody();
        if (body == null) {
            channel.writeAndFlush(bytes).addListener(this);
        } else {
            SliceWriter writer = new SliceWriter(channel, pending, body, this::operationComplete);
            channel.write(bytes);
            slices = writer;
            writer.writeOn();
        }
        return true;
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (slices != null && channel.isWritable()) {
            slices.writeOn();
        }
    }

    /**
     * Continues after the last byte of the request has left, or never will. A connection whose exchange ends before
     * that carries no other.
     */
    @Override
    public void operationComplete(ChannelFuture write) {
        PendingResponse pending = current;
        if (pending == null) {
            return;
        }
        if (write.isSuccess()) {
            written = true;
            closeSlices();
            pending.tracker().markComplete();
        } else {
            broken(write.cause());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (message instanceof ByteBuf bytes && bytes.isReadable()) {
                read(bytes);
            }
        } catch (IOException | RuntimeException broken) {
            broken(broken);
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void read(ByteBuf bytes) throws IOException {
        PendingResponse pending = current;
        if (pending == null) {
            // they belong to no response, and would be read as the beginning of the next one
            drop();
            return;
        }
        if (responded) {
            clean = false;
            return;
        }
        if (!decoder.pastHead()) {
            ResponseHead head = decoder.readHead(bytes);
            if (head == null) {
                return;
            }
            pending.check(head, written);
            decoder.accept();
        }
        if (decoder.readBody(bytes)) {
            responded = true;
            clean = !bytes.isReadable();
        } else {
            pauseIfEnough(pending);
        }
    }

    /** The response's consumer may have enough for now; the rest waits in the socket. */
    private void pauseIfEnough(PendingResponse pending) {
        BodyFeed feed = pending.tracker().feed();
        if (feed != null && channel.config().isAutoRead() && !feed.ready(() -> onLoop(this::readOn))) {
            channel.config().setAutoRead(false);
        }
    }

    /** Also after the end of the exchange: no connection is idle without reading. */
    private void readOn() {
        channel.config().setAutoRead(true);
    }

    private void closeSlices() {
        SliceWriter writer = slices;
        slices = null;
        if (writer != null) {
            writer.close();
        }
    }

    /** Ends the exchange only after all bytes that came with the end of its response. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (responded) {
            end();
        }
    }

    /** Takes the request off the connection, which waits for no response from now on. */
    private @Nullable PendingResponse over() {
        PendingResponse pending = current;
        current = null;
        responded = false;
        closeSlices();
        return pending;
    }

    private void end() {
        PendingResponse pending = over();
        if (pending == null) {
            return;
        }
        readOn();
        ResponseHead head = decoder.head();
        byte[] body = decoder.body();
        decoder.forget();
        if (!clean || !written) {
            drop();
        } else if (!decoder.persistent()) {
            pool.discard(this);
            channel.close();
        } else {
            serve(pool.release(this));
        }
        pending.succeed(head, body);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == SslCloseCompletionEvent.SUCCESS) {
            closeNotified = true;
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        pool.discard(this);
        boolean complete = closeNotified || context.pipeline().get(SslHandler.class) == null;
        if (responded || (complete && decoder.pastHead() && decoder.endOfStream())) {
            end();
        } else if (current != null) {
            broken(new IOException(
                    decoder.pastHead()
                            ? "the connection was closed within the response"
                            : "the connection was closed before a response came"));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable error) {
        broken(error);
    }

    private void broken(Throwable error) {
        PendingResponse pending = over();
        decoder.forget();
        drop();
        if (pending != null) {
            pending.fail(error);
        }
    }

    /** Ends the bytes of a request that is given up; its error comes with the end of the connection. On any thread. */
    void giveUp(PendingResponse pending) {
        onLoop(() -> {
            if (current == pending && !responded) {
                drop();
            }
        });
    }

    /** Closes it, whatever it carries. On any thread. */
    void close() {
        onLoop(() -> {
            if (current != null) {
                reset();
            } else {
                channel.close();
            }
        });
    }

    /** Closes it at once, past its handlers, whose own close may wait. On any thread. */
    void abort() {
        onLoop(this::reset);
    }

    /** Returns false if the loop has ended, and has closed its connections. */
    private boolean onLoop(Runnable task) {
        EventLoop loop = channel.eventLoop();
        if (loop.inEventLoop()) {
            task.run();
            return true;
        }
        try {
            loop.execute(task);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    private void drop() {
        pool.discard(this);
        reset();
    }

    /** Closes without a last flush, and past the handlers: that of TLS would wait. */
    private void reset() {
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.unsafe().close(channel.voidPromise());
        }
    }
}
