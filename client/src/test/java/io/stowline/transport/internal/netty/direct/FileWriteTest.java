package io.stowline.transport.internal.netty.direct;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.embedded.EmbeddedChannel;
import io.stowline.blob.internal.upload.FileBody;
import io.stowline.transport.internal.http.BodySlices.UnreadableBodyException;
import io.stowline.transport.internal.http.PlayedFile;
import io.stowline.transport.internal.http.Standstill;
import io.stowline.transport.internal.netty.direct.ConnectionPool.Census;
import io.stowline.transport.internal.netty.direct.EmbeddedPool.Sent;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Bodies that are read from a file while they are written: the bytes on the wire, a disk that is slow or fails, and what frees memory. */
@Timeout(60)
class FileWriteTest {

    private static final String DONE = "HTTP/1.1 201 Created|Content-Length: 0||";
    private static final int LENGTH = 1_000_003;

    private final EmbeddedPool server = new EmbeddedPool(1);
    private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(true);
    private final PlayedFile file = new PlayedFile(LENGTH);

    @AfterEach
    void close() {
        server.close();
        file.spin();
        assertThat(used()).as("direct memory in use").isZero();
    }

    private long used() {
        return memory.metric().usedDirectMemory();
    }

    private NarrowChannel connect() {
        NarrowChannel channel = new NarrowChannel();
        channel.config().setAllocator(memory);
        server.connect(channel);
        return channel;
    }

    private static byte[] withoutHead(byte[] written) {
        int head = new String(written, ISO_8859_1).indexOf("\r\n\r\n");
        return head < 0 ? new byte[0] : Arrays.copyOfRange(written, head + 4, written.length);
    }

    /** A connection that has taken some of a file. */
    private NarrowChannel halfway() {
        NarrowChannel channel = connect();
        while (channel.taken().length < 300_000) {
            file.spin();
            channel.take(50_000);
        }
        return channel;
    }

    @Property(tries = 100)
    @Label("a file arrives byte for byte, whatever the pace of disk and socket, with few slices in memory")
    void bytesOnTheWire(
            @ForAll @IntRange(min = (128 << 10) + 1, max = 900_000) int length,
            @ForAll @IntRange(min = 10_000, max = 400_000) int pace,
            @ForAll @IntRange(min = 1, max = 4) int turns) {
        PlayedFile played = new PlayedFile(length + 9);
        Sent sent = server.send(played.body(4, length));
        NarrowChannel channel = connect();
        long max = 0;
        for (int turn = 1; played.waits() || used() > 0; turn++) {
            channel.take(pace);
            if (turn % turns == 0) {
                played.spin();
            }
            max = Math.max(max, used());
        }
        server.receive(channel, DONE);

        assertThat(withoutHead(channel.taken())).isEqualTo(Arrays.copyOfRange(played.content(), 4, length + 4));
        assertThat(max).isLessThanOrEqualTo(FileBody.MAX_BUFFERED_BYTES + 1_000L);
        assertThat(sent.response).isNotNull();
        assertThat(server.pool.census()).isEqualTo(new Census(1, 0, 1, 0));
        server.channels.forEach(open -> {
            ChannelFuture unused = open.close();
        });
        server.settle();
    }

    @Test
    @DisplayName("TRANSFER-7: a disk that reads nothing is a standstill")
    void aSlowDisk() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        Standstill standstill = new Standstill(clock);
        Sent sent = server.send(file.body());
        sent.tracker.countIn(standstill);
        standstill.admitted();
        NarrowChannel channel = halfway();
        channel.take(LENGTH);
        assertThat(standstill.length()).isZero();
        clock.advanceTimeBy(Duration.ofSeconds(7));
        channel.take(LENGTH);
        assertThat(standstill.length()).isEqualTo(Duration.ofSeconds(7));
        file.spin();
        server.settle();
        assertThat(standstill.length()).isZero();
        clock.dispose();
    }

    @Test
    @DisplayName("TRANSFER-1: a file that is cut in mid-body ends its request and its connection")
    void aTruncatedFile() {
        Sent sent = server.send(file.body());
        NarrowChannel channel = halfway();
        file.truncate(400_000);
        while (sent.ends == 0) {
            channel.take(50_000);
            file.spin();
        }

        assertThat(sent.error).isInstanceOf(UnreadableBodyException.class);
        assertThat(sent.ends).isOne();
        assertThat(channel.isOpen()).isFalse();
        assertThat(server.pool.census()).isEqualTo(new Census(0, 0, 0, 0));
        theNextRequestWorks();
    }

    private void theNextRequestWorks() {
        PlayedFile other = new PlayedFile(LENGTH);
        Sent next = server.send(other.body());
        NarrowChannel channel = connect();
        while (withoutHead(channel.taken()).length < LENGTH) {
            other.spin();
            channel.take(LENGTH);
        }
        assertThat(withoutHead(channel.taken())).isEqualTo(other.content());
        server.receive(channel, DONE);
        assertThat(next.response).isNotNull();
    }

    @Test
    @DisplayName("a file that cannot be read at all ends its request before its body")
    void anUnreadableFile() {
        file.change();
        Sent sent = server.send(file.body());
        NarrowChannel channel = connect();
        file.spin();
        channel.take(LENGTH);
        assertThat(sent.error).isInstanceOf(UnreadableBodyException.class);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    @DisplayName("OUTCOME-0: after a cancel in mid-body nothing is read or sent, and memory is free")
    void aCancel() {
        Sent sent = server.send(file.body());
        NarrowChannel channel = halfway();
        int taken = channel.taken().length;
        int reads = file.reads();
        sent.cancel();
        server.settle();
        file.spin();
        server.settle();
        channel.take(LENGTH);

        assertThat(channel.taken()).hasSize(taken);
        assertThat(file.reads()).isEqualTo(reads);
        assertThat(channel.isOpen()).isFalse();
        assertThat(sent.ends).isZero();
        assertThat(used()).isZero();
        theNextRequestWorks();
    }

    @Test
    @DisplayName(
            "OUTCOME-0: a connection that breaks in mid-body frees memory, and another attempt begins with the first"
                    + " byte")
    void aReset() {
        Sent sent = server.send(file.body());
        NarrowChannel channel = halfway();
        ChannelFuture unused = channel.close();
        server.settle();
        file.spin();
        assertThat(sent.error).isInstanceOf(IOException.class);
        assertThat(used()).isZero();

        Sent again = server.send(file.body());
        NarrowChannel second = connect();
        while (withoutHead(second.taken()).length < LENGTH) {
            file.spin();
            second.take(LENGTH);
        }
        assertThat(withoutHead(second.taken())).isEqualTo(file.content());
        server.receive(second, DONE);
        assertThat(again.response).isNotNull();
    }

    @Test
    @DisplayName("a refusal in mid-body is the response, and stops the disk")
    void anEarlyRefusal() {
        Sent sent = server.send(file.body());
        NarrowChannel channel = halfway();
        server.receive(channel, "HTTP/1.1 403 x|Content-Length: 2||{}");
        int reads = file.reads();
        file.spin();
        assertThat(sent.response).isNotNull();
        assertThat(file.reads()).isEqualTo(reads);
        assertThat(channel.isOpen()).isFalse();
        assertThat(used()).isZero();
    }

    @Test
    @DisplayName("a close of the client in mid-body frees memory")
    void aCloseOfTheClient() {
        Sent sent = server.send(file.body());
        EmbeddedChannel channel = halfway();
        server.pool.close();
        server.settle();
        file.spin();
        assertThat(sent.ends).isOne();
        assertThat(channel.isOpen()).isFalse();
        assertThat(used()).isZero();
    }
}
