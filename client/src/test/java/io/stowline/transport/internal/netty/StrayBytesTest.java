package io.stowline.transport.internal.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.stowline.transport.internal.http.StrayResponseException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.netty.NettyPipeline;

/** A connection whose bytes do not all belong to the requested response. */
@SuppressWarnings({"FutureReturnValueIgnored", "StringConcatToTextBlock"}) // embedded, and lines end as on the wire
@Timeout(60)
class StrayBytesTest {

    private static final String ID = "11111111-0000-4000-8000-000000000001";
    private static final String DONE =
            "HTTP/1.1 204 No Content\r\nETag: W/\"1\"\r\nx-ms-client-request-id: " + ID + "\r\n\r\n";
    private static final String CONFLICT = "HTTP/1.1 409 Conflict\r\nx-ms-error-code: EntityAlreadyExists\r\n"
            + "x-ms-client-request-id: " + ID + "\r\nContent-Length: 2\r\n\r\n{}";
    private static final String CHUNKED =
            "HTTP/1.1 200 OK\r\nVia: HTTP/1.1 gateway\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "5\r\nhello\r\n3\r\nyou\r\n0\r\n\r\n";

    /** The bytes that reach Reactor Netty. */
    private static final class Heard extends ChannelInboundHandlerAdapter {

        private final StringBuilder text = new StringBuilder();
        private final List<Throwable> errors = new ArrayList<>();
        private int ends;
        private boolean openAtTheEnd;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpResponse head) {
                text.append(head.status().code()).append(' ');
            }
            if (message instanceof HttpContent part) {
                text.append(part.content().toString(ISO_8859_1));
            }
            if (message instanceof LastHttpContent) {
                ends++;
                openAtTheEnd = context.channel().isOpen();
            }
            ReferenceCountUtil.release(message);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable error) {
            errors.add(error);
        }
    }

    /** A socket that takes nothing more once it is full. */
    private static final class Socket extends ChannelOutboundHandlerAdapter {

        private boolean full;

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            ReferenceCountUtil.release(message);
            if (!full) {
                promise.trySuccess();
            }
        }
    }

    private Socket socket;
    private Heard heard;
    private EmbeddedChannel channel;

    @BeforeEach
    void connect() {
        socket = new Socket();
        heard = new Heard();
        channel = new EmbeddedChannel();
        channel.pipeline().addLast(socket);
        channel.pipeline().addLast(NettyPipeline.HttpCodec, codec());
        channel.pipeline().addLast(heard);
        InterimResponses.watch(channel.pipeline());
        EchoedRequestIds.watch(channel.pipeline());
    }

    /** Reactor Netty's does not check the names of headers. */
    private static HttpClientCodec codec() {
        return new HttpClientCodec(new HttpDecoderConfig().setValidateHeaders(false), false, false);
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private static <T extends io.netty.handler.codec.http.HttpRequest> T identified(T request) {
        request.headers().set("x-ms-client-request-id", ID);
        return request;
    }

    private void ask() {
        channel.writeOneOutbound(identified(new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1, HttpMethod.POST, "/", Unpooled.copiedBuffer("{}", ISO_8859_1))));
        channel.flushOutbound();
    }

    /** The head of a request with a body of ten bytes. */
    private void begin() {
        DefaultHttpRequest head = identified(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.PUT, "/"));
        head.headers().set("Content-Length", 10);
        channel.writeOneOutbound(head);
    }

    private void part(int bytes) {
        channel.writeOneOutbound(Unpooled.wrappedBuffer(new byte[bytes]));
    }

    private ByteBuf hear(String bytes) {
        ByteBuf read = Unpooled.copiedBuffer(bytes, ISO_8859_1);
        channel.writeInbound(read);
        return read;
    }

    @ParameterizedTest
    @DisplayName("OUTCOME-0: bytes behind the end of a response close its connection before it is the next request's")
    @ValueSource(
            strings = {
                "HTTP/1.1 204 No Content\r\nx: ",
                "HTTP/1.1 204 No Content\r\nETag: W/\"late\"\r\n",
                "HTTP/1.1 204 No Content\r\nETag: W/\"late\"\r\nx-other",
                "hello",
                " ",
                "{}\r\n\r\n"
            })
    void bytesBehindAResponse(String tail) {
        for (String response : List.of(DONE, CONFLICT, CHUNKED)) {
            close();
            connect();
            ask();
            ByteBuf read = hear(response + tail);
            assertThat(heard.ends).isOne();
            assertThat(heard.openAtTheEnd).isFalse();
            assertThat(heard.errors).isEmpty();
            assertThat(read.refCnt()).isZero();
        }
    }

    @Test
    @DisplayName("OUTCOME-0: bytes that come while no request is outstanding are dropped, and the connection is closed")
    void bytesWhileIdle() {
        ask();
        hear(DONE);
        assertThat(channel.isOpen()).isTrue();
        hear("HTTP/1.1 204 No Content\r\nx: ");
        assertThat(channel.isOpen()).isFalse();
        assertThat(heard.text).hasToString("204 ");
    }

    @Test
    @DisplayName("OUTCOME-0: bytes that come before the first request close the connection")
    void bytesBeforeTheFirstRequest() {
        hear("HTTP/1.1 204 No Content\r\n");
        assertThat(channel.isOpen()).isFalse();
        assertThat(heard.text).isEmpty();
    }

    @Test
    @DisplayName(
            "OUTCOME-0: what was read together with the end of a response is not the response to the request written at"
                    + " that end")
    void aRequestAtOnceAfterTheEnd() {
        ask();
        channel.writeOneInbound(Unpooled.copiedBuffer(DONE, ISO_8859_1));
        ask();
        channel.writeOneInbound(Unpooled.copiedBuffer("HTTP/1.1 204 No Content\r\n", ISO_8859_1));
        assertThat(channel.isOpen()).isFalse();
        assertThat(heard.text).hasToString("204 ");
    }

    @ParameterizedTest
    @DisplayName(
            "OUTCOME-0: the rest of a response that comes after the next request was written makes no response with the"
                    + " one to it")
    @ValueSource(
            strings = {
                "HTTP/1.1 204 No Content\r\nx: ",
                "HTTP/1.1 204 No Content\r\nx: abc",
                "HTTP/1.1 204 No Content\r\nETag: W/\"late\"\r\nx-other",
                "HTTP/1.1 204 No Content\r\nETag: W/\"late\"\r\n",
                "HTTP/1.1 204 No Content\r\n",
                "HTTP/1.1 204 No Con",
                "HTTP/1.1 204 "
            })
    void twoHeadsThatRanTogether(String late) {
        ask();
        hear(DONE);
        ask();
        hear(late);
        hear(CONFLICT);
        assertThat(heard.text).hasToString("204 ");
        assertThat(heard.errors).singleElement().isInstanceOf(StrayResponseException.class);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    @DisplayName("OUTCOME-0: a 204 that announces a body ends with its connection")
    void noContentWithABody() {
        ask();
        hear("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n");
        assertThat(heard.ends).isOne();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    @DisplayName(
            "OUTCOME-0: a response in pieces, an announced one and one without a body leave their connection as it is")
    void honestResponses() {
        for (String response : List.of(
                DONE,
                CONFLICT,
                CHUNKED,
                "HTTP/1.1 100 Continue\r\n\r\n" + DONE,
                "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n" + CONFLICT,
                "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n")) {
            for (int size = 1; size <= response.length(); size++) {
                int before = heard.ends;
                ask();
                for (int at = 0; at < response.length(); at += size) {
                    hear(response.substring(at, Math.min(response.length(), at + size)));
                }
                assertThat(channel.isOpen()).isTrue();
                assertThat(heard.ends - before).isEqualTo(response.contains("100 Continue") ? 2 : 1);
                assertThat(heard.errors).isEmpty();
            }
        }
        assertThat(heard.text.toString()).contains("200 helloyou").contains("409 {}");
    }

    @Test
    @DisplayName("OUTCOME-0: a success before the last byte of its request is out is no response to it")
    void anEarlySuccess() {
        begin();
        part(6);
        socket.full = true;
        part(4);
        hear(DONE);
        assertThat(heard.errors).singleElement().isInstanceOf(StrayResponseException.class);
        assertThat(heard.errors.get(0)).hasMessageContaining("it came before the request was written whole");
        assertThat(heard.text).isEmpty();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    @DisplayName("OUTCOME-0: a success after the last byte of a body is a response, though its end has not been told")
    void aSuccessBeforeTheEndIsReported() {
        begin();
        part(6);
        part(4);
        hear(DONE);
        assertThat(heard.errors).isEmpty();
        assertThat(heard.text).hasToString("204 ");
    }

    @Test
    @DisplayName("OUTCOME-0: a refusal before the last byte of its request is out stays one")
    void anEarlyRefusal() {
        begin();
        part(6);
        hear(CONFLICT);
        assertThat(heard.errors).isEmpty();
        assertThat(heard.text).hasToString("409 {}");
    }
}
