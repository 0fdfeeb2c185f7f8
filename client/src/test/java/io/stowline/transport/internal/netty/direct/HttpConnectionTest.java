package io.stowline.transport.internal.netty.direct;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpMethod;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import io.stowline.transport.internal.http.MalformedResponseException;
import io.stowline.transport.internal.http.ResponseBounds.ResponseTooLongException;
import io.stowline.transport.internal.http.StrayResponseException;
import io.stowline.transport.internal.netty.direct.ConnectionPool.Census;
import io.stowline.transport.internal.netty.direct.EmbeddedPool.Sent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The states of one connection, one exchange after the other. */
@SuppressWarnings("FutureReturnValueIgnored") // channels are embedded
@Timeout(60)
class HttpConnectionTest {

    private static final String DONE = "HTTP/1.1 204 No Content|ETag: W/\"1\"||";
    private static final String CONFLICT = "HTTP/1.1 409 Conflict|Content-Length: 2||{}";

    private final EmbeddedPool server = new EmbeddedPool(1);

    /** A socket that takes nothing. */
    private static final class FullSocket extends ChannelOutboundHandlerAdapter {

        private final List<ChannelPromise> kept = new ArrayList<>();

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            ReferenceCountUtil.release(message);
            kept.add(promise);
        }
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** The next request gets a connection at once after a failure of any kind. */
    private void nextRequestWorks() {
        Sent next = server.send();
        EmbeddedChannel channel =
                !server.openings.isEmpty() ? server.connect() : server.channels.get(server.channels.size() - 1);
        EmbeddedPool.written(channel);
        server.receive(channel, DONE);
        assertThat(next.response).isNotNull();
        assertThat(next.response.getStatusCode()).isEqualTo(204);
        assertThat(server.pool.census()).isEqualTo(new Census(1, 0, 1, 0));
    }

    @Test
    @DisplayName("an idle connection keeps nothing of its last response")
    void keepsNothingWhileIdle() {
        Sent sent = server.send();
        EmbeddedChannel channel = server.connect();
        EmbeddedPool.written(channel);
        HttpConnection connection = channel.pipeline().get(HttpConnection.class);
        server.receive(channel, CONFLICT.substring(0, CONFLICT.length() - 1));
        assertThat(connection.keepsResponse()).isTrue();
        server.receive(channel, "}");

        assertThat(sent.response).isNotNull();
        assertThat(connection.usable()).isTrue();
        assertThat(connection.keepsResponse()).isFalse();
        nextRequestWorks();
    }

    @Test
    void carriesOneRequestAfterTheOther() {
        Sent first = server.send();
        EmbeddedChannel channel = server.connect();
        Sent second = server.send();
        assertThat(EmbeddedPool.written(channel))
                .contains(first.id)
                .contains("\r\n\r\nbody")
                .doesNotContain(second.id);
        assertThat(first.tracker.written()).isTrue();
        assertThat(second.tracker.written()).isFalse();

        server.receive(channel, DONE);
        assertThat(first.response).isNotNull();
        assertThat(first.ends).isOne();
        assertThat(EmbeddedPool.written(channel)).contains(second.id);
        server.receive(channel, CONFLICT);
        assertThat(second.response).isNotNull();
        assertThat(second.response.getStatusCode()).isEqualTo(409);
        assertThat(second.response.getBodyAsBinaryData()).hasToString("{}");
        assertThat(server.pool.census()).isEqualTo(new Census(1, 0, 1, 0));
    }

    @Test
    @DisplayName("a connection takes buffers from the pool once it has carried some requests")
    void poolsItsBuffersLater() {
        server.send();
        EmbeddedChannel channel = server.connect();
        channel.config().setAllocator(UnpooledByteBufAllocator.DEFAULT);
        for (int i = 1; i < HttpConnection.UNPOOLED_EXCHANGES; i++) {
            assertThat(channel.alloc()).isSameAs(UnpooledByteBufAllocator.DEFAULT);
            EmbeddedPool.written(channel);
            server.receive(channel, DONE);
            server.send();
        }

        assertThat(channel.alloc()).isSameAs(ByteBufAllocator.DEFAULT);
        EmbeddedPool.written(channel);
        server.receive(channel, DONE);
        nextRequestWorks();
    }

    @Test
    @DisplayName("a connection keeps the buffers that its client has given it")
    void keepsGivenBuffers() {
        ByteBufAllocator given = new UnpooledByteBufAllocator(false);
        server.send();
        EmbeddedChannel channel = server.connect();
        channel.config().setAllocator(given);
        for (int i = 0; i < HttpConnection.UNPOOLED_EXCHANGES; i++) {
            EmbeddedPool.written(channel);
            server.receive(channel, DONE);
            server.send();
        }

        assertThat(channel.alloc()).isSameAs(given);
    }

    @ParameterizedTest
    @DisplayName("OUTCOME-0: a response in pieces, or after announcements, is one response")
    @ValueSource(ints = {1, 2, 3, 5, 8, 13, 21, 34, 55})
    void respondsInPieces(int size) {
        String response = ("HTTP/1.1 103 Early Hints|Link: <x>||HTTP/1.1 100 Continue||HTTP/1.1 200 OK|"
                        + "Transfer-Encoding: chunked||5|hello|3|you|0||")
                .replace("|", "\r\n");
        for (int round = 0; round < 3; round++) {
            Sent sent = server.send();
            EmbeddedChannel channel = round == 0 ? server.connect() : server.channels.get(0);
            for (int at = 0; at < response.length(); at += size) {
                assertThat(sent.over()).isFalse();
                server.receive(channel, response.substring(at, Math.min(response.length(), at + size)));
            }
            assertThat(sent.response).isNotNull();
            assertThat(sent.response.getBodyAsBinaryData()).hasToString("helloyou");
        }
        assertThat(server.channels).hasSize(1);
    }

    @ParameterizedTest
    @DisplayName("OUTCOME-0: bytes behind the end of a response close its connection before it is the next request's")
    @ValueSource(strings = {"HTTP/1.1 204 No Content|x: ", "hello", " ", "{}||", "|"})
    void bytesBehindAResponse(String tail) {
        for (String response : List.of(DONE, CONFLICT, "HTTP/1.1 200 OK|Transfer-Encoding: chunked||0||")) {
            Sent sent = server.send();
            EmbeddedChannel channel = server.connect();
            Sent waiting = server.send();
            server.receive(channel, response + tail);
            assertThat(sent.response).isNotNull();
            assertThat(channel.isOpen()).isFalse();
            assertThat(EmbeddedPool.written(channel)).doesNotContain(waiting.id);
            EmbeddedChannel other = server.connect();
            server.receive(other, DONE);
            assertThat(waiting.response).isNotNull();
            other.close();
            server.settle();
        }
    }

    @Test
    @DisplayName("OUTCOME-0: what was read together with the end of a response is not the response to the next request")
    void bytesOfTheSameReadLoop() {
        Sent sent = server.send();
        EmbeddedChannel channel = server.connect();
        Sent waiting = server.send();
        channel.writeOneInbound(io.netty.buffer.Unpooled.copiedBuffer(
                DONE.replace("|", "\r\n"), java.nio.charset.StandardCharsets.ISO_8859_1));
        channel.writeOneInbound(io.netty.buffer.Unpooled.copiedBuffer(
                DONE.replace("|", "\r\n"), java.nio.charset.StandardCharsets.ISO_8859_1));
        channel.flushInbound();
        server.settle();
        assertThat(sent.response).isNotNull();
        assertThat(waiting.over()).isFalse();
        assertThat(waiting.tracker.written()).isFalse();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    @DisplayName("OUTCOME-0: bytes that come while no request is outstanding are dropped, and the connection is closed")
    void bytesWhileIdle() {
        server.send();
        EmbeddedChannel channel = server.connect();
        server.receive(channel, DONE);
        server.receive(channel, "HTTP/1.1 204 No Content|");
        assertThat(channel.isOpen()).isFalse();
        assertThat(server.pool.census()).isEqualTo(new Census(0, 0, 0, 0));
        nextRequestWorks();
    }

    @ParameterizedTest
    @DisplayName(
            "OUTCOME-0: a request whose response is broken, cut or another's is unanswered, and the next one works")
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK|x-ms-client-request-id: other|Content-Length: 0||",
                "HTTP/1.1 204 No Content|x: HTTP/1.1 409 Conflict|",
                "HTTP/1.1 101 Switching Protocols||",
                "garbage",
                "HTTP/1.1 200 OK|Content-Length: 99||cut#",
                "HTTP/1.1 200 OK|Conten#",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|0|#",
                "#"
            })
    void unanswered(String text) {
        Sent sent = server.send();
        EmbeddedChannel channel = server.connect();
        if (text.endsWith("#")) {
            if (text.length() > 1) {
                server.receive(channel, text.substring(0, text.length() - 1));
            }
            channel.close();
            server.settle();
        } else {
            server.receive(channel, text);
        }
        assertThat(sent.error).isInstanceOf(IOException.class);
        assertThat(sent.ends).isOne();
        assertThat(sent.tracker.endedBy(sent.error)).isTrue();
        assertThat(channel.isOpen()).isFalse();
        nextRequestWorks();
    }

    @Test
    @DisplayName(
            "OUTCOME-0: a success before the last byte of its request is out is no response to it; a refusal is one")
    void earlyResponses() {
        for (String response : List.of(DONE, CONFLICT)) {
            Sent sent = server.send();
            FullSocket full = new FullSocket();
            EmbeddedChannel channel = server.connect(new EmbeddedChannel(full));
            assertThat(full.kept).hasSize(1);
            server.receive(channel, response);
            assertThat(channel.isOpen()).isFalse();
            if (response.equals(DONE)) {
                assertThat(sent.error)
                        .isInstanceOf(StrayResponseException.class)
                        .hasMessageContaining("it came before the request was written whole");
            } else {
                assertThat(sent.response).isNotNull();
            }
            full.kept.get(0).tryFailure(new IOException("closed"));
            assertThat(sent.ends).isOne();
        }
        nextRequestWorks();
    }

    @Test
    @DisplayName("OUTCOME-0: a success after the last byte is out is a response, though the write ended late")
    void aLateWrite() {
        Sent sent = server.send();
        FullSocket full = new FullSocket();
        EmbeddedChannel channel = server.connect(new EmbeddedChannel(full));
        full.kept.get(0).setSuccess();
        server.receive(channel, DONE);
        assertThat(sent.response).isNotNull();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aFailedWriteEndsItsRequest() {
        Sent sent = server.send();
        FullSocket full = new FullSocket();
        EmbeddedChannel channel = server.connect(new EmbeddedChannel(full));
        full.kept.get(0).setFailure(new IOException("broken pipe"));
        server.settle();
        assertThat(sent.error).hasMessage("broken pipe");
        assertThat(channel.isOpen()).isFalse();
        nextRequestWorks();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK|Connection: close|Content-Length: 2||{}",
                "HTTP/1.0 200 OK|Content-Length: 2||{}",
                "HTTP/1.1 204 No Content|Content-Length: 2||"
            })
    void aLastResponseClosesItsConnection(String response) {
        Sent sent = server.send();
        EmbeddedChannel channel = server.connect();
        server.receive(channel, response);
        assertThat(sent.response).isNotNull();
        assertThat(channel.isOpen()).isFalse();
        nextRequestWorks();
    }

    @Test
    void aResponseOfOpenLengthEndsWithItsConnection() {
        Sent sent = server.send();
        EmbeddedChannel channel = server.connect();
        server.receive(channel, "HTTP/1.1 200 OK||hello");
        assertThat(sent.over()).isFalse();
        channel.close();
        server.settle();
        assertThat(sent.response).isNotNull();
        assertThat(sent.response.getBodyAsBinaryData()).hasToString("hello");
        nextRequestWorks();
    }

    @Test
    void theResponseToHeadHasNoBody() {
        Sent sent = server.send(new Sent("head"), HttpMethod.HEAD);
        EmbeddedChannel channel = server.connect();
        server.receive(channel, "HTTP/1.1 200 OK|Content-Length: 99||");
        assertThat(sent.response).isNotNull();
        assertThat(channel.isOpen()).isTrue();
        nextRequestWorks();
    }

    @Test
    @DisplayName("RETRY-3: what is read of a response is bounded, and the rest of it is not read")
    void boundedResponses() {
        Sent sent = server.send();
        EmbeddedChannel channel = server.connect();
        server.receive(channel, "HTTP/1.1 200 OK|x: " + "y".repeat(9_000) + "|");
        assertThat(sent.error).isInstanceOf(ResponseTooLongException.class);
        Sent refused = server.send();
        EmbeddedChannel other = server.connect();
        server.receive(other, "HTTP/1.1 400 Bad|Content-Length: 100000||" + "x".repeat(70_000));
        assertThat(refused.response).isNotNull();
        assertThat(other.isOpen()).isFalse();
        nextRequestWorks();
    }

    @Test
    @DisplayName("OUTCOME-0: a request that is given up resets its connection, and one that was over is not written")
    void cancels() {
        Sent reading = server.send();
        EmbeddedChannel channel = server.connect();
        server.receive(channel, "HTTP/1.1 200 OK|Content-Length: 9||part");
        reading.cancel();
        server.settle();
        assertThat(channel.isOpen()).isFalse();
        assertThat(reading.ends).isZero();

        Sent connecting = server.send();
        connecting.cancel();
        EmbeddedChannel unwanted = server.connect();
        assertThat(EmbeddedPool.written(unwanted)).isEmpty();
        assertThat(connecting.tracker.written()).isFalse();
        assertThat(unwanted.isOpen()).isFalse();

        Sent over = new Sent("over");
        over.tracker.abandon();
        server.send(over, HttpMethod.POST);
        EmbeddedChannel idle = server.connect();
        assertThat(over.error).isInstanceOf(IOException.class);
        assertThat(EmbeddedPool.written(idle)).isEmpty();
        assertThat(idle.isOpen()).isTrue();
        nextRequestWorks();
    }

    @Test
    @DisplayName("OUTCOME-0: the end of an attempt resets the connection although no cancel comes")
    void abandons() {
        Sent sent = server.send();
        EmbeddedChannel channel = server.connect();
        sent.tracker.abandon();
        server.settle();
        assertThat(channel.isOpen()).isFalse();
        assertThat(sent.error).isInstanceOf(IOException.class);
        nextRequestWorks();
    }

    @Test
    void aRequestThatCannotBeEncodedLeavesItsConnectionToOthers() {
        Sent refused = new Sent("line\nend");
        server.send(refused, HttpMethod.POST);
        EmbeddedChannel channel = server.connect();
        assertThat(refused.error).isInstanceOf(IllegalArgumentException.class);
        assertThat(refused.tracker.written()).isFalse();
        assertThat(channel.isOpen()).isTrue();
        nextRequestWorks();
    }

    @Test
    void aSubscriberThatThrowsHarmsNoOther() {
        Sent first = server.send();
        first.whenOver = () -> {
            throw new IllegalStateException("of the subscriber");
        };
        EmbeddedChannel channel = server.connect();
        Sent second = server.send();
        server.receive(channel, DONE);
        server.receive(channel, DONE);
        assertThat(second.response).isNotNull();
        assertThat(server.channels).hasSize(1);
    }

    @Test
    void aMalformedResponseSaysWhatIsWrong() {
        Sent sent = server.send();
        server.receive(server.connect(), "HTTP/1.1 200 OK|Content-Length: x||");
        assertThat(sent.error)
                .isInstanceOf(MalformedResponseException.class)
                .hasMessage("the response breaks the rules of HTTP: its length is no number");
    }
}
