package io.stowline.transport.internal.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.FileRegion;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.PromiseNotifier;
import io.stowline.transport.internal.http.MalformedResponseException;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.StrayResponseException;
import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.netty.NettyPipeline;

/**
 * A handler that checks whether a response belongs to the request that was sent (decision 77). It does not if it echoes another
 * client request id, if it is a success before the last byte of the request is out, or if its head is two that ran
 * together. Such a connection is out of step, like one with a response to no request: it is reset, and its request
 * counts as unanswered (OUTCOME-0). A response without the id is accepted, since a gateway's own has none. Serves one
 * connection.
 */
final class EchoedRequestIds extends ChannelDuplexHandler {

    private static final String NAME = "stowline-echo";
    private static final String ID = StorageResponse.CLIENT_REQUEST_ID.getCaseInsensitiveName();
    private static final String VERSION = "HTTP/1.";
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    private final StrayBytes bytes = new StrayBytes(this);
    /** Requests that are not written whole. */
    private int leaving;
    /** The listener of the message with the last byte of a request. */
    private final ChannelFutureListener left = future -> {
        if (future.isSuccess()) {
            leaving--;
        }
    };

    private @Nullable String sent;
    private boolean requested;
    private boolean interim;
    private boolean excess;
    private boolean lost;
    /** True if the body of the response ends with the connection, and if TLS has announced that end. */
    private boolean toTheEnd;

    private boolean headOnly;
    private boolean endAnnounced;
    /** The bytes of the body that have not been handed over, or negative if only its end shows its length. */
    private long body;

    private boolean open;

    private EchoedRequestIds() {}

    /** Adds the handler before the codec and behind the handler of interim responses, once for a connection. */
    static void watch(ChannelPipeline pipeline) {
        if (pipeline.get(NAME) == null && pipeline.get(InterimResponses.NAME) != null) {
            EchoedRequestIds watching = new EchoedRequestIds();
            pipeline.addBefore(NettyPipeline.HttpCodec, StrayBytes.NAME, watching.bytes);
            pipeline.addAfter(InterimResponses.NAME, NAME, watching);
        }
    }

    /** Returns whether a request is written, or being written, and its response has not ended. */
    boolean outstanding() {
        return requested;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        if (message instanceof HttpRequest head) {
            sent = head.headers().get(ID);
            headOnly = head.method().equals(HttpMethod.HEAD);
            requested = true;
            leaving++;
            open = true;
            body = message instanceof LastHttpContent ? -1 : HttpUtil.getContentLength(head, -1L);
        }
        super.write(context, message, open && last(message) ? watched(context, promise) : promise);
    }

    /**
     * The end of a body of known length may be signalled long after its last byte, when the service has responded
     * already.
     */
    private boolean last(Object message) {
        if (message instanceof LastHttpContent) {
            open = false;
        } else if (body >= 0) {
            body -= length(message);
            open = body > 0;
        }
        return !open;
    }

    private static long length(Object message) {
        if (message instanceof ByteBuf buffer) {
            return buffer.readableBytes();
        }
        if (message instanceof ByteBufHolder holder) {
            return holder.content().readableBytes();
        }
        return message instanceof FileRegion file ? file.count() : 0;
    }

    private ChannelPromise watched(ChannelHandlerContext context, ChannelPromise promise) {
        if (promise instanceof DefaultChannelPromise) {
            return promise.addListener(left);
        }
        // The void promise and Reactor Netty's own for parts of a body take no listener.
        return context.newPromise().addListener(left).addListener(new PromiseNotifier<>(false, promise));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpResponse head) {
            interim = head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        }
        if (message instanceof HttpResponse head && !interim) {
            IOException wrong = wrong(head);
            toTheEnd = endsWithTheConnection(head);
            excess = head.status().code() == NO_CONTENT && announcesBody(head);
            if (!requested || wrong != null) {
                lost = true;
                if (requested && wrong != null) {
                    context.fireExceptionCaught(wrong);
                }
                ConnectionReset.now(context.channel());
            }
        }
        if (lost) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof LastHttpContent && toTheEnd && !interim && isCut(context)) {
            lost = true;
            ReferenceCountUtil.release(message);
            context.fireExceptionCaught(new IOException("the connection was closed within the response"));
            return;
        }
        if (message instanceof LastHttpContent) {
            requested = interim;
            if (!interim && (bytes.end() || excess)) {
                // before the response is passed on, with which the connection becomes the next request's
                ConnectionReset.now(context.channel());
            }
        }
        context.fireChannelRead(message);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == SslCloseCompletionEvent.SUCCESS) {
            endAnnounced = true;
        }
        context.fireUserEventTriggered(event);
    }

    private boolean endsWithTheConnection(HttpResponse head) {
        int status = head.status().code();
        return !headOnly
                && status != NO_CONTENT
                && status != NOT_MODIFIED
                && !HttpUtil.isTransferEncodingChunked(head)
                && !head.headers().contains(HttpHeaderNames.CONTENT_LENGTH);
    }

    /**
     * An observer on the way may have ended an encrypted connection without an announced end: the service announces it.
     */
    private boolean isCut(ChannelHandlerContext context) {
        return !endAnnounced && context.pipeline().get(SslHandler.class) != null;
    }

    private @Nullable IOException wrong(HttpResponse head) {
        if (glued(head)) {
            return StrayResponseException.glued(head.status().code());
        }
        Throwable fault = head.decoderResult().cause();
        if (fault instanceof PrematureChannelClosureException) {
            return new IOException("the connection was closed within the head of the response", fault);
        }
        if (fault instanceof IllegalArgumentException) {
            return new MalformedResponseException("its head cannot be read");
        }
        if (leaving > 0 && head.status().codeClass() == HttpStatusClass.SUCCESS) {
            return StrayResponseException.early(head.status().code());
        }
        return StrayResponseException.against(sent, head.headers().get(ID));
    }

    /** A body that a response without one announces is not read as its own. */
    private static boolean announcesBody(HttpResponse head) {
        String length = head.headers().get(HttpHeaderNames.CONTENT_LENGTH);
        return (length != null && !"0".equals(length)) || head.headers().contains(HttpHeaderNames.TRANSFER_ENCODING);
    }

    /** A status line within it: the rest of an earlier response came late, and ran together with this one. */
    private static boolean glued(HttpResponse head) {
        if (StrayResponseException.statusLine(head.status().reasonPhrase())) {
            return true;
        }
        Iterator<Map.Entry<CharSequence, CharSequence>> each = head.headers().iteratorCharSequence();
        while (each.hasNext()) {
            Map.Entry<CharSequence, CharSequence> header = each.next();
            if (AsciiString.contains(header.getKey(), VERSION)
                    || StrayResponseException.statusLine(header.getValue().toString())) {
                return true;
            }
        }
        return false;
    }
}
