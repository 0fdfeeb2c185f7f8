package io.stowline.transport.internal.netty.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.stowline.transport.internal.http.BodySink;
import io.stowline.transport.internal.http.BodySink.BodyPart;
import io.stowline.transport.internal.http.BodySink.RefusedBodyException;
import io.stowline.transport.internal.http.CollectingSink;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.response.BufferedResponse;
import io.stowline.transport.internal.netty.direct.ConnectionPool.Census;
import io.stowline.transport.internal.netty.direct.EmbeddedPool.Sent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses whose bodies go into a sink, over one connection. */
@Timeout(60)
class BodySinkTest {

    private static final String HELLO = "HTTP/1.1 206 Partial Content|ETag: \"1\"|Content-Length: 8||helloyou";
    private static final String CHUNKS = "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|3|you|0||";

    private final EmbeddedPool server = new EmbeddedPool(1);
    private final CollectingSink sink = new CollectingSink();

    @AfterEach
    void close() {
        server.close();
    }

    private static byte[] body(Sent sent) {
        return BufferedResponse.bytes(Objects.requireNonNull(sent.response, "answered"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 20, 1_000})
    void aSuccessGoesIntoTheSink(int size) {
        int begun = 0;
        for (String text : new String[] {HELLO, CHUNKS}) {
            String response = text.replace("|", "\r\n");
            Sent sent = server.read(sink);
            EmbeddedChannel channel = begun == 0 ? server.connect() : server.channels.get(0);
            for (int at = 0; at < response.length(); at += size) {
                assertThat(sent.over()).isFalse();
                server.receive(channel, response.substring(at, Math.min(response.length(), at + size)));
            }
            begun++;
            assertThat(sink.begun()).hasSize(begun);
            assertThat(sink.text()).isEqualTo("helloyou".repeat(begun));
            assertThat(body(sent)).isEmpty();
        }
        assertThat(sink.begun()).containsExactly("206 8 \"1\"", "200 -1 null");
        assertThat(server.pool.census()).isEqualTo(new Census(1, 0, 1, 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"HTTP/1.1 404 x|Content-Length: 3||no!", "HTTP/1.1 304 x||", "HTTP/1.1 503 x|Content-Length: 0||"
            })
    void anyOtherResponseIsReadAsUsual(String response) {
        Sent sent = server.read(sink);
        server.receive(server.connect(), response);
        assertThat(sink.begun()).isEmpty();
        assertThat(new String(body(sent), StandardCharsets.US_ASCII)).isEqualTo(response.contains("no!") ? "no!" : "");
    }

    @Test
    void aBodyMayBeLongerThanResponsesThatAreReadWhole() {
        long length = 40L << 20;
        long[] seen = {0};
        Sent sent = server.read(new BodySink() {
            @Override
            public void begin(int status, StorageResponse.Headers headers, long contentLength) {
                assertThat(contentLength).isEqualTo(length);
            }

            @Override
            public void add(BodyPart part) {
                seen[0] += part.length();
            }
        });
        EmbeddedChannel channel = server.connect();
        server.receive(channel, "HTTP/1.1 200 OK|Content-Length: " + length + "||");
        String piece = "x".repeat(1 << 20);
        for (int i = 0; i < 40; i++) {
            assertThat(sent.over()).isFalse();
            server.receive(channel, piece);
        }
        assertThat(seen[0]).isEqualTo(length);
        assertThat(sent.response).isNotNull();
    }

    @Test
    @DisplayName("OUTCOME-0: nothing of a response to another request reaches the sink")
    void strayResponses() {
        Sent sent = server.read(sink);
        server.receive(server.connect(), "HTTP/1.1 200 OK|x-ms-client-request-id: other|Content-Length: 8||helloyou");
        assertThat(sent.error).isInstanceOf(IOException.class);
        assertThat(sink.begun()).isEmpty();
        assertThat(sink.text()).isEmpty();
    }

    @Test
    @DisplayName("TRANSFER-2: after a break the sink keeps what it got")
    void breaks() {
        Sent sent = server.read(sink);
        EmbeddedChannel channel = server.connect();
        server.receive(channel, "HTTP/1.1 200 OK|Content-Length: 9||hello");
        channel.close().syncUninterruptibly();
        server.settle();
        assertThat(sent.error).hasMessage("the connection was closed within the response");
        assertThat(sink.text()).isEqualTo("hello");
    }

    @Test
    @DisplayName("nothing reaches the sink once its attempt is over")
    void late() {
        Sent sent = server.read(sink);
        EmbeddedChannel channel = server.connect();
        server.receive(channel, "HTTP/1.1 200 OK|Content-Length: 9||hello");
        // The reset of the connection is a task of the loop, which reads before it comes to that.
        sent.tracker.abandon();
        channel.pipeline().fireChannelRead(Unpooled.wrappedBuffer(new byte[] {'y', 'o'}));
        assertThat(sink.text()).isEqualTo("hello");
        server.settle();
        assertThat(channel.isOpen()).isFalse();
    }

    @ParameterizedTest
    @DisplayName("what the sink throws ends the request, and its connection carries no other one")
    @ValueSource(strings = {"begin", "add"})
    void thrown(String where) {
        for (Exception failure : new Exception[] {new IllegalStateException("mine"), new IOException("mine")}) {
            Sent sent = server.read(sink.throwing(where, failure));
            EmbeddedChannel channel = server.connect();
            server.receive(channel, HELLO);
            assertThat(sent.ends).isOne();
            assertThat(sent.error)
                    .isInstanceOf(failure instanceof IOException ? IOException.class : RefusedBodyException.class)
                    .hasMessageContaining("mine");
            assertThat(channel.isOpen()).isFalse();
        }
    }

    /** A sink that has enough after five of eight bytes. */
    private EmbeddedChannel heldUp() {
        EmbeddedChannel channel = server.connect();
        server.receive(channel, "HTTP/1.1 200 OK|Content-Length: 8||hello");
        assertThat(channel.config().isAutoRead()).isFalse();
        return channel;
    }

    @Test
    @DisplayName("TRANSFER-3: a sink that has enough holds the connection up until it goes on")
    void pauses() {
        Sent sent = server.read(sink.fill());
        EmbeddedChannel channel = server.connect();
        server.receive(channel, "HTTP/1.1 200 OK|Content-Length: 12||hello");
        assertThat(channel.config().isAutoRead()).isFalse();
        server.receive(channel, "you");
        assertThat(sink.pauses()).as("questions while it is held up").isOne();
        sink.drain();
        server.settle();
        assertThat(channel.config().isAutoRead()).isTrue();
        server.receive(channel, "more");
        assertThat(sent.response).isNotNull();
        assertThat(sink.text()).isEqualTo("helloyoumore");
        assertThat(server.pool.census()).isEqualTo(new Census(1, 0, 1, 0));
    }

    @Test
    @DisplayName("a response that ends while it is held up leaves a connection that reads")
    void endsWhilePaused() {
        Sent sent = server.read(sink.fill());
        EmbeddedChannel channel = heldUp();
        server.receive(channel, "you");
        assertThat(sent.response).isNotNull();
        assertThat(channel.config().isAutoRead()).isTrue();

        Sent next = server.read(sink);
        server.receive(channel, "HTTP/1.1 200 OK|Content-Length: 8||hello");
        assertThat(channel.config().isAutoRead()).isFalse();
        sink.drain();
        server.settle();
        server.receive(channel, "you");
        assertThat(next.response).isNotNull();
        assertThat(server.pool.census()).isEqualTo(new Census(1, 0, 1, 0));
    }

    @Test
    @DisplayName("a read that is given up while it is held up: the next one works at once, and what it hears later does"
            + " nothing")
    void givenUpWhilePaused() {
        Sent sent = server.read(sink.fill());
        EmbeddedChannel channel = heldUp();
        sent.cancel();
        server.settle();
        assertThat(channel.isOpen()).isFalse();
        sink.drain();
        server.settle();
        Sent next = server.read(new CollectingSink());
        server.receive(server.connect(), "HTTP/1.1 200 OK|Content-Length: 8||helloyou");
        assertThat(next.response).isNotNull();
        assertThat(sink.text()).isEqualTo("hello");
    }

    @Test
    @DisplayName("RETRY-3: a refusal, whose body is not the sink's, is read whatever the sink has")
    void refusals() {
        Sent sent = server.read(sink.fill());
        EmbeddedChannel channel = server.connect();
        server.receive(channel, "HTTP/1.1 503 Busy|Content-Length: 8||hello");
        assertThat(channel.config().isAutoRead()).isTrue();
        server.receive(channel, "you");
        assertThat(new String(body(sent), StandardCharsets.US_ASCII)).isEqualTo("helloyou");
        assertThat(sink.pauses()).isZero();
    }
}
