package io.stowline.queue.internal.body;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.queue.internal.BodyException;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageView.OpenedEnvelope;
import io.stowline.queue.internal.body.EnvelopeFormat.PackedBody;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Q3: bodies in envelopes have a size that the service takes")
class EnvelopeFormatTest {

    private static final String LONGEST_ID = "i".repeat(64);
    private static final String TRACE_PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String NAME = "a".repeat(63);

    private static EnvelopeFormat format(QueueMessageEncoding encoding, int compressAbove) {
        return new EnvelopeFormat(encoding, "type", compressAbove, 1 << 20, null);
    }

    private static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] roundTrip(EnvelopeFormat format, byte[] body) {
        String text = format.text(format.pack(body, false, null).envelope(NAME, "type"));
        MessageEnvelope read = Objects.requireNonNull(format.read(text));
        return format.unpacked(new OpenedEnvelope(read, null, null));
    }

    @Property(tries = 200)
    void bodiesComeBack(
            @ForAll @IntRange(max = 20_000) int length, @ForAll long seed, @ForAll QueueMessageEncoding encoding) {
        byte[] body = bytes(length, seed);

        assertThat(roundTrip(format(encoding, 1_000), body)).isEqualTo(body);
        assertThat(roundTrip(format(encoding, Integer.MAX_VALUE), body)).isEqualTo(body);
    }

    @Property(tries = 60)
    void whatIsAcceptedHasRoomForAllNotes(
            @ForAll @IntRange(min = 20_000, max = 50_000) int length,
            @ForAll QueueMessageEncoding encoding,
            @ForAll @IntRange(max = 64) int id) {
        EnvelopeFormat format = format(encoding, Integer.MAX_VALUE);
        PackedBody packed;
        try {
            packed = format.pack(bytes(length, length), false, id == 0 ? null : "i".repeat(id));
        } catch (IllegalArgumentException tooLong) {
            assertThat(tooLong).hasMessageContaining("limit");
            return;
        }

        String text = format.text(packed.envelope(NAME, "type")
                .withTraceContext(Map.of("traceparent", TRACE_PARENT, "tracestate", "s".repeat(512)))
                .withCheckpoint("x".repeat(1_000))
                .noting(Integer.MAX_VALUE, Integer.MAX_VALUE));

        assertThat(text.length()).isLessThanOrEqualTo(65_536);
    }

    @Test
    @DisplayName("a body is compressed above the threshold, if that makes it smaller")
    void compresses() {
        EnvelopeFormat format = format(QueueMessageEncoding.NONE, 100);

        assertThat(format.pack("a".repeat(101).getBytes(UTF_8), false, null).compressed())
                .isTrue();
        assertThat(format.pack("a".repeat(100).getBytes(UTF_8), false, null).compressed())
                .isFalse();
        assertThat(format.pack(bytes(500, 1), false, null).compressed()).isFalse();
    }

    @Test
    @DisplayName("a body that has no room names its size, the limit and the remedies")
    void tooLarge() {
        assertThatThrownBy(() ->
                        format(QueueMessageEncoding.BASE64, Integer.MAX_VALUE).pack(bytes(60_000, 1), false, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("60000", "limit", "claimCheck");
        assertThatThrownBy(() -> format(QueueMessageEncoding.NONE, 100).pack(new byte[(1 << 20) + 1], false, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("1048577", "1048576", "maxBody");
    }

    @Test
    @DisplayName("a compressed body that expands beyond maxBody is refused")
    void expandsTooFar() {
        EnvelopeFormat writer = new EnvelopeFormat(QueueMessageEncoding.NONE, "type", 0, 1 << 24, null);
        String text = writer.text(writer.pack(new byte[1 << 22], false, null).envelope(NAME, "type"));
        EnvelopeFormat reader = format(QueueMessageEncoding.NONE, 0);
        MessageEnvelope read = Objects.requireNonNull(reader.read(text));

        assertThatThrownBy(() -> reader.unpacked(new OpenedEnvelope(read, null, null)))
                .isInstanceOf(BodyException.class)
                .hasMessageContaining("1048576");
    }

    @Test
    @DisplayName("the largest body that a message takes leaves room for all notes")
    void maxBodyHasRoomForAllNotes() {
        for (QueueMessageEncoding encoding : QueueMessageEncoding.values()) {
            EnvelopeFormat format = format(encoding, Integer.MAX_VALUE);
            PackedBody largest = format.pack(bytes(largest(format), 1), false, LONGEST_ID);

            String text = format.text(largest.envelope(NAME, "type")
                    .withTraceContext(Map.of("traceparent", TRACE_PARENT, "tracestate", "s".repeat(512)))
                    .withCheckpoint("\"".repeat(500))
                    .noting(Integer.MAX_VALUE, Integer.MAX_VALUE));

            assertThat(text.length()).isBetween(64_000, 65_536);
        }
    }

    private static int largest(EnvelopeFormat format) {
        int fits = 0;
        int tooLong = 65_536;
        while (tooLong - fits > 1) {
            int middle = (fits + tooLong) / 2;
            try {
                format.pack(bytes(middle, 1), false, LONGEST_ID);
                fits = middle;
            } catch (IllegalArgumentException e) {
                tooLong = middle;
            }
        }
        return fits;
    }

    @Test
    @DisplayName("a checkpoint has at most 1,000 bytes in JSON, and no half of a character")
    void checkpoint() {
        assertThat(EnvelopeFormat.checkpoint("\"".repeat(500))).hasSize(500);
        assertThatThrownBy(() -> EnvelopeFormat.checkpoint("\"".repeat(501)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the checkpoint has 1002 bytes as JSON writes it; the limit is 1000");
        assertThatThrownBy(() -> EnvelopeFormat.checkpoint("page \uD83D"))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessage("the checkpoint has the unpaired surrogate U+D83D at index 5");
        assertThat(EnvelopeFormat.checkpoint("x".repeat(1_000))).hasSize(1_000);
        assertThatThrownBy(() -> EnvelopeFormat.checkpoint("ä".repeat(501)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("1002", "1000");
    }
}
