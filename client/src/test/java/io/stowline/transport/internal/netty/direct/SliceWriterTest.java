package io.stowline.transport.internal.netty.direct;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.embedded.EmbeddedChannel;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.Standstill;
import io.stowline.transport.internal.http.StrayResponseException;
import io.stowline.transport.internal.netty.direct.ConnectionPool.Census;
import io.stowline.transport.internal.netty.direct.EmbeddedPool.Sent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Long bodies over one connection: the bytes on the wire, how many wait for the socket, and what ends them. */
@Timeout(60)
class SliceWriterTest {

    private static final String DONE = "HTTP/1.1 201 Created|Content-Length: 0||";
    private static final int LONG = 1 << 20;

    private final EmbeddedPool server = new EmbeddedPool(1);
    private final byte[] bytes = random(LONG, 1);

    @AfterEach
    void close() {
        server.close();
    }

    private static byte[] random(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] withoutHead(byte[] written) {
        String text = new String(written, ISO_8859_1);
        return Arrays.copyOfRange(written, text.indexOf("\r\n\r\n") + 4, written.length);
    }

    private static byte[] taken(EmbeddedChannel channel) {
        return EmbeddedPool.written(channel).getBytes(ISO_8859_1);
    }

    @Provide
    Arbitrary<Integer> lengths() {
        return Arbitraries.oneOf(
                Arbitraries.integers().between(0, 10),
                Arbitraries.integers().between((64 << 10) - 2, (64 << 10) + 2),
                Arbitraries.integers().between((128 << 10) - 2, (128 << 10) + 2),
                Arbitraries.integers().between((192 << 10) - 2, (192 << 10) + 2),
                Arbitraries.integers().between(0, 700_000));
    }

    private static List<ByteBuffer> cut(byte[] body, List<Integer> cuts) {
        List<ByteBuffer> parts = new ArrayList<>();
        int from = 0;
        for (int to :
                cuts.stream().map(cut -> Math.min(cut, body.length)).sorted().toList()) {
            parts.add(part(body, from, to));
            from = to;
        }
        parts.add(part(body, from, body.length));
        return parts;
    }

    /** The first part lies outside of the heap. */
    private static ByteBuffer part(byte[] body, int from, int to) {
        ByteBuffer heap = ByteBuffer.wrap(body, from, to - from);
        return from == 0 ? ByteBuffer.allocateDirect(to).put(heap).flip() : heap;
    }

    @Property(tries = 150)
    @Label("a body arrives byte for byte, whatever its length, its place in memory and the pace of the socket")
    void bytesOnTheWire(
            @ForAll("lengths") int length,
            @ForAll("lengths") int before,
            @ForAll List<@net.jqwik.api.constraints.IntRange(min = 0, max = 300_000) Integer> cuts,
            @ForAll @net.jqwik.api.constraints.IntRange(min = 1_000, max = 400_000) int pace)
            throws IOException {
        byte[] memory = random(before + length + 3, length);
        byte[] content = Arrays.copyOfRange(memory, before, before + length);
        for (RequestBody body : List.of(RequestBody.of(memory, before, length), RequestBody.of(cut(content, cuts)))) {
            EmbeddedPool pool = new EmbeddedPool(1);
            Sent sent = pool.send(body);
            NarrowChannel channel = new NarrowChannel();
            pool.connect(channel);
            for (int written = 0; written < length + 500; written += pace) {
                channel.take(pace);
            }
            pool.receive(channel, DONE);

            assertThat(body.length()).isEqualTo(length);
            assertThat(new String(channel.taken(), ISO_8859_1)).contains("content-length: " + length + "\r\n");
            assertThat(withoutHead(channel.taken())).isEqualTo(content);
            assertThat(channel.maxWaiting()).isLessThan(640 << 10);
            assertThat(sent.response).isNotNull();
            assertThat(pool.pool.census()).isEqualTo(new Census(1, 0, 1, 0));
            pool.close();
        }
    }

    @Test
    void aShortBodyLeavesInOnePiece() {
        server.send(RequestBody.of(bytes, 0, 128 << 10));
        EmbeddedChannel channel = server.connect();
        ByteBuf whole = channel.readOutbound();
        assertThat(whole.readableBytes()).isGreaterThan(128 << 10);
        whole.release();
        ByteBuf more = channel.readOutbound();
        assertThat(more).isNull();
    }

    @Test
    @DisplayName("TRANSFER-3: slices are the request's own memory, not a copy")
    void slicesAreViews() {
        server.send(RequestBody.of(bytes));
        EmbeddedChannel channel = server.connect();
        ByteBuf head = channel.readOutbound();
        ByteBuf slice = channel.readOutbound();
        assertThat(slice.array()).isSameAs(bytes);
        head.release();
        slice.release();
    }

    @Test
    void theNextRequestTakesTheConnection() {
        server.send(RequestBody.of(bytes));
        EmbeddedChannel channel = server.connect();
        assertThat(withoutHead(taken(channel))).isEqualTo(bytes);
        server.receive(channel, DONE);
        Sent next = server.send(RequestBody.of(bytes, 5, 300_000));
        assertThat(withoutHead(taken(channel))).isEqualTo(Arrays.copyOfRange(bytes, 5, 300_005));
        server.receive(channel, DONE);
        assertThat(next.response).isNotNull();
        assertThat(server.channels).hasSize(1);
    }

    private NarrowChannel halfway() {
        NarrowChannel channel = new NarrowChannel();
        server.connect(channel);
        channel.take(300_000);
        return channel;
    }

    @ParameterizedTest
    @DisplayName("OUTCOME-0: a refusal in mid-body is the response, and its connection carries no other request")
    @ValueSource(ints = {403, 413, 503})
    void anEarlyRefusal(int status) {
        Sent sent = server.send(RequestBody.of(bytes));
        NarrowChannel channel = halfway();
        server.receive(channel, "HTTP/1.1 " + status + " x|Content-Length: 2||{}");
        channel.take(LONG);

        assertThat(sent.response).isNotNull();
        assertThat(sent.response.getStatusCode()).isEqualTo(status);
        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.taken()).hasSize(300_000);
        assertThat(server.pool.census()).isEqualTo(new Census(0, 0, 0, 0));
    }

    @Test
    @DisplayName("a body is written on while its refusal is not whole")
    void aRefusalInPieces() {
        Sent sent = server.send(RequestBody.of(bytes));
        NarrowChannel channel = halfway();
        server.receive(channel, "HTTP/1.1 413 x|Content-Length: 2||");
        channel.take(100_000);
        assertThat(channel.taken()).hasSize(400_000);
        server.receive(channel, "{}");
        assertThat(sent.response).isNotNull();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    @DisplayName("OUTCOME-0: a success in mid-body answers something else")
    void anEarlySuccess() {
        Sent sent = server.send(RequestBody.of(bytes));
        NarrowChannel channel = halfway();
        server.receive(channel, DONE);
        assertThat(sent.error).isInstanceOf(StrayResponseException.class);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    @DisplayName("OUTCOME-0: after a cancel in mid-body no more bytes leave")
    void aCancel() {
        Sent sent = server.send(RequestBody.of(bytes));
        NarrowChannel channel = halfway();
        sent.cancel();
        server.settle();
        channel.take(LONG);
        assertThat(channel.taken()).hasSize(300_000);
        assertThat(channel.isOpen()).isFalse();
        assertThat(sent.ends).isZero();
        assertThat(server.pool.census()).isEqualTo(new Census(0, 0, 0, 0));
    }

    @Test
    @DisplayName("a cancel stops the writer before its connection is reset")
    void aCancelFromTheSocket() {
        Sent sent = server.send(RequestBody.of(bytes));
        EmbeddedChannel channel = new EmbeddedChannel();
        List<Integer> slices = new ArrayList<>();
        channel.pipeline().addLast(new io.netty.channel.ChannelOutboundHandlerAdapter() {
            @Override
            public void write(
                    io.netty.channel.ChannelHandlerContext context,
                    Object message,
                    io.netty.channel.ChannelPromise promise) {
                slices.add(((ByteBuf) message).readableBytes());
                if (slices.size() == 3) {
                    sent.cancel();
                }
                ChannelFuture unused = context.write(message, promise);
            }
        });
        server.connect(channel);
        assertThat(slices).hasSize(3);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    @DisplayName("OUTCOME-0: a connection that breaks in mid-body ends its request, which may have been written")
    void aReset() {
        Sent sent = server.send(RequestBody.of(bytes));
        NarrowChannel channel = halfway();
        ChannelFuture unused = channel.close();
        server.settle();
        assertThat(sent.error).isInstanceOf(IOException.class);
        assertThat(sent.ends).isOne();
        assertThat(sent.tracker.endedBy(sent.error)).isTrue();
    }

    @Test
    @DisplayName("TRANSFER-7: each slice that leaves is a movement, and what waits for the socket is none")
    void movements() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        Standstill standstill = new Standstill(clock);
        Sent sent = server.send(RequestBody.of(bytes));
        sent.tracker.countIn(standstill);
        standstill.admitted();
        NarrowChannel channel = halfway();
        clock.advanceTimeBy(Duration.ofSeconds(7));
        assertThat(standstill.length()).isEqualTo(Duration.ofSeconds(7));
        channel.take(100_000);
        assertThat(standstill.length()).isZero();
        clock.advanceTimeBy(Duration.ofSeconds(9));
        channel.take(1);
        assertThat(standstill.length()).isEqualTo(Duration.ofSeconds(9));
        channel.take(LONG);
        assertThat(standstill.length()).isZero();
        clock.dispose();
    }
}
