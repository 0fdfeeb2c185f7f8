package io.stowline.transport.internal.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.stowline.transport.internal.http.ResponseBounds;
import reactor.netty.NettyPipeline;

/**
 * A handler that skips responses that announce the real one, such as {@code 103 Early Hints}. Reactor Netty takes each
 * for the response itself and gives the connection to the next request, which then receives the response of this one
 * (OUTCOME-0). Reactor Netty handles {@code 100 Continue} itself. More than {@link ResponseBounds#INTERIM} before one
 * response end the connection, and so does a flood of them. Serves one connection.
 */
final class InterimResponses extends ChannelInboundHandlerAdapter {

    static final String NAME = "stowline-interim";
    private static final int CONTINUE = 100;
    private static final int SWITCHING = 101;

    private boolean within;
    private int count;

    private InterimResponses() {}

    /** Has its place behind the codec, once for a connection. */
    static void watch(ChannelPipeline pipeline) {
        if (pipeline.get(NAME) == null && pipeline.get(NettyPipeline.HttpCodec) != null) {
            pipeline.addAfter(NettyPipeline.HttpCodec, NAME, new InterimResponses());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpResponse head) {
            int status = head.status().code();
            boolean interim = head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
            within = interim && status != CONTINUE;
            count = interim ? count + 1 : 0;
            if (status == SWITCHING || count > ResponseBounds.INTERIM) {
                // It was not requested, and what follows is no HTTP; or nothing else follows.
                ConnectionReset.now(context.channel());
            }
        }
        if (!within || !(message instanceof HttpObject)) {
            context.fireChannelRead(message);
            return;
        }
        within = !(message instanceof LastHttpContent);
        ReferenceCountUtil.release(message);
        if (!context.channel().config().isAutoRead()) {
            context.read();
        }
    }
}
