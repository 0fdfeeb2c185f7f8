package io.stowline.blob.internal.gzip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.blob.DownloadSettings;
import io.stowline.transport.internal.gzip.GzipDecoder;
import io.stowline.transport.internal.gzip.GzipDecoder.GzipFormatException;
import io.stowline.transport.internal.outcome.OriginalContent;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compression and expansion against those of the JDK. */
@Timeout(120)
class GzipCodecTest {

    /** Content that compresses, and some that does not. */
    static byte[] content(int length, long seed) {
        Random random = new Random(seed);
        byte[] content = new byte[length];
        random.nextBytes(content);
        for (int i = 0; i < length && seed % 4 != 0; i++) {
            content[i] = (byte) ('a' + (content[i] & (seed % 4 == 1 ? 1 : 7)));
        }
        return content;
    }

    static byte[] zipped(byte[] content) {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return zipped.toByteArray();
    }

    private static byte[] encoded(byte[] content, Random parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (GzipEncoder encoder = new GzipEncoder()) {
            for (int at = 0; at < content.length; ) {
                int count = Math.min(content.length - at, 1 + parts.nextInt(200_000));
                ByteBuffer part = ByteBuffer.wrap(content, at, count);
                for (ByteBuffer some = encoder.next(part); some != null; some = encoder.next(part)) {
                    all.write(some.array(), 0, some.remaining());
                }
                assertThat(part.hasRemaining()).isFalse();
                at += count;
            }
            for (ByteBuffer some = encoder.last(); some != null; some = encoder.last()) {
                all.write(some.array(), 0, some.remaining());
            }
            OriginalContent original = encoder.original();
            assertThat(original.length()).isEqualTo(content.length);
            assertThat(original.stored()).isEqualTo(all.size());
        }
        return all.toByteArray();
    }

    private static byte[] decoded(byte[] stored, @Nullable Random parts) throws GzipFormatException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (GzipDecoder decoder = new GzipDecoder()) {
            for (int at = 0; at < stored.length; ) {
                int count = parts == null ? stored.length : Math.min(stored.length - at, 1 + parts.nextInt(5_000));
                decoder.input(ByteBuffer.wrap(stored, at, count));
                byte[] target = new byte[parts == null ? 1 << 16 : 1 + parts.nextInt(70_000)];
                for (int read = decoder.read(target, 0, target.length);
                        read > 0;
                        read = decoder.read(target, 0, target.length)) {
                    all.write(target, 0, read);
                }
                at += count;
            }
            decoder.finish();
        }
        return all.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    @Test
    @DisplayName("A1: any content in any parts comes back, and the JDK reads it")
    void roundTrip() throws Exception {
        Random random = new Random(7);
        int[] sizes = {0, 1, 2, 65_535, 65_536, 65_537, 131_072, 262_144, 1_000_003};
        for (int round = 0; round < 60; round++) {
            int size = round < sizes.length ? sizes[round] : random.nextInt(400_000);
            byte[] content = content(size, round);
            byte[] stored = encoded(content, new Random(round));

            assertThat(new GZIPInputStream(new ByteArrayInputStream(stored)).readAllBytes())
                    .isEqualTo(content);
            assertThat(decoded(stored, new Random(round))).isEqualTo(content);
            assertThat(decoded(stored, null)).isEqualTo(content);
            assertThat(decoded(zipped(content), new Random(round))).isEqualTo(content);
        }
    }

    @Test
    @DisplayName("TRANSFER-1: the same content gives the same bytes, whatever its parts")
    void isStable() {
        byte[] content = content(700_000, 1);

        assertThat(encoded(content, new Random(1))).isEqualTo(encoded(content, new Random(2)));
    }

    @Test
    @DisplayName("A1: content that is cut at any byte is no content")
    void cut() throws Exception {
        byte[] content = content(3_000, 2);
        byte[] stored = joined(header(true), Arrays.copyOfRange(zipped(content), 10, zipped(content).length));
        assertThat(decoded(stored, null)).isEqualTo(content);
        for (int length = 1; length < stored.length; length++) {
            byte[] cut = Arrays.copyOf(stored, length);
            assertThatExceptionOfType(GzipFormatException.class)
                    .isThrownBy(() -> decoded(cut, null))
                    .withMessageContaining("ends within");
        }
        assertThat(decoded(new byte[0], null)).isEmpty();
    }

    /** A header with all fields that the format has. */
    private static byte[] header(boolean checked) {
        byte[] fields = joined(
                new byte[] {31, (byte) 139, 8, (byte) (4 + 8 + 16 + (checked ? 2 : 0)), 1, 2, 3, 4, 0, 3, 3, 0, 9, 9, 9
                },
                "name\0comment\0".getBytes(StandardCharsets.ISO_8859_1));
        CRC32 checksum = new CRC32();
        checksum.update(fields);
        int value = (int) checksum.getValue();
        return checked ? joined(fields, new byte[] {(byte) value, (byte) (value >> 8)}) : fields;
    }

    @Test
    @DisplayName("A1: a changed byte is an error, but in the fields of the header that nothing checks")
    void damaged() {
        byte[] content = content(500, 1);
        byte[] stored = joined(header(true), Arrays.copyOfRange(zipped(content), 10, zipped(content).length));
        for (int at = 0; at < stored.length; at++) {
            byte[] damaged = stored.clone();
            damaged[at] ^= 0x41;
            assertThatExceptionOfType(GzipFormatException.class)
                    .as("byte %d", at)
                    .isThrownBy(() -> decoded(damaged, null));
        }
    }

    @Test
    @DisplayName("A1: members follow each other, and nothing else does")
    void members() throws Exception {
        byte[] one = content(70_000, 1);
        byte[] other = content(5, 3);
        byte[] stored = joined(zipped(one), encoded(new byte[0], new Random(1)), zipped(other));

        assertThat(decoded(stored, new Random(5))).isEqualTo(joined(one, other));
        for (byte[] garbage : new byte[][] {{0}, {31}, {31, (byte) 139}, "text".getBytes(StandardCharsets.US_ASCII)}) {
            assertThatExceptionOfType(GzipFormatException.class)
                    .isThrownBy(() -> decoded(joined(stored, garbage), new Random(5)));
        }
        assertThatExceptionOfType(GzipFormatException.class)
                .isThrownBy(() -> decoded("{\"a\":1}".getBytes(StandardCharsets.US_ASCII), null))
                .withMessageContaining("does not begin as gzip does");
    }

    @Test
    @DisplayName("A1: what an upload compresses is never a bomb to a download")
    void noBomb() throws Exception {
        int size = Expansion.ALWAYS + (16 << 20);
        byte[] stored = encoded(new byte[size], new Random(1));

        assertThat((long) stored.length * Expansion.RATIO).isGreaterThan(size);
        assertThat(new GZIPInputStream(new ByteArrayInputStream(stored)).readAllBytes())
                .isEqualTo(new byte[size]);
        assertThat(DownloadSettings.defaults().maxRatio()).isEqualTo(Expansion.RATIO);
    }

    @Test
    void chooses() {
        assertThat(GzipSample.compresses(ByteBuffer.wrap(new byte[GzipSample.MIN - 1])))
                .isFalse();
        assertThat(GzipSample.compresses(ByteBuffer.wrap(new byte[GzipSample.MIN])))
                .isTrue();
        assertThat(GzipSample.compresses(ByteBuffer.wrap(content(5_000, 0)))).isFalse();
        assertThat(GzipSample.compresses(ByteBuffer.wrap(content(5_000, 1)))).isTrue();
    }

    @Test
    void keepsFactsInMetadata() {
        OriginalContent original = new OriginalContent(12, 7, "AAAAAAAAAAAAAAAAAAAAAA==");

        assertThat(OriginalContent.of(original.in(Map.of("a", "b")))).isEqualTo(original);
        assertThat(original.in(Map.of("a", "b"))).containsEntry("a", "b");
        assertThat(original.in(Map.of("a", "b".repeat(8_180)))).isEqualTo(Map.of("a", "b".repeat(8_180)));
        for (String broken : new String[] {"", "1 2", "1 -2 AAAAAAAAAAAAAAAAAAAAAA==", "1 2 AAAA"}) {
            assertThat(OriginalContent.of(Map.of("StowlineGzip", broken))).isNull();
        }
    }
}
