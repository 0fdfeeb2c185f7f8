package io.stowline.records.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.records.internal.format.RecordCodec.RecordCursor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Compressed records of several members, and compressed content of others. */
final class GzipMemberEncoderTest {

    private static final FramedCodec<String> LINES =
            FramedCodec.lines(Function.identity(), Function.<String>identity()).gzip();
    private static final int RECORDS = 4_000;

    private static String record(int i) {
        return String.format("%06d ", i) + "x".repeat(1_000);
    }

    private static byte[] records(FramedCodec<String> codec, int count) {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            records.writeBytes(codec.encode(record(i)));
        }
        return records.toByteArray();
    }

    @Test
    void membersAreWholeRecordsOfAboutOneMebibyte() throws IOException {
        for (FramedCodec<String> codec : Arrays.asList(
                LINES,
                FramedCodec.delimited(String::getBytes, (byte[] bytes) -> new String(bytes))
                        .gzip())) {
            byte[] plain = records(codec, RECORDS);
            byte[] blob = codec.seal(plain, true);

            long places = 0;
            long previous = 0;
            try (RecordCursor<String> cursor = codec.read(new ByteArrayInputStream(blob), true)) {
                for (int i = 0; i < RECORDS; i++) {
                    assertThat(cursor.next()).isTrue();
                    assertThat(cursor.recordsSince()).isLessThan(1_100);
                    if (cursor.resumeOffset() != previous) {
                        previous = cursor.resumeOffset();
                        places++;
                        try (RecordCursor<String> there =
                                codec.read(new ByteArrayInputStream(blob, (int) previous, blob.length), false)) {
                            assertThat(there.next()).isTrue();
                            assertThat(there.record()).isEqualTo(record(i));
                        }
                    }
                }
                assertThat(cursor.next()).isFalse();
                assertThat(cursor.resumeOffset()).isEqualTo(blob.length);
            }
            assertThat(places).isEqualTo(3);
            assertThat(codec.seal(plain, true)).isEqualTo(blob);
            // The JDK's stream mishandles members at the end of its buffer, which an array does not have.
            assertThat(new GZIPInputStream(new ByteArrayInputStream(blob)).readAllBytes())
                    .isEqualTo(plain);
        }
    }

    @Test
    void aCutLosesAtMostWhatCannotBeInflated() throws IOException {
        byte[] blob = LINES.seal(records(LINES, RECORDS), true);

        int before = 0;
        for (int cut = 0; cut < blob.length; cut += 97) {
            try (RecordCursor<String> cursor = LINES.read(new ByteArrayInputStream(blob, 0, cut), true)) {
                int count = 0;
                while (cursor.next()) {
                    assertThat(cursor.record()).isEqualTo(record(count++));
                }
                assertThat(count).isGreaterThanOrEqualTo(before);
                assertThat(cursor.cutOff()).isBetween(0L, (long) cut);
                before = count;
            }
        }
        assertThat(before).isGreaterThan(RECORDS - 500);
    }

    @Test
    void membersOfOthersWithAllHeaderFields() throws IOException {
        byte[] plain = "one\ntwo\n".getBytes();
        ByteArrayOutputStream simple = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(simple)) {
            out.write(plain);
        }
        byte[] rest = Arrays.copyOfRange(simple.toByteArray(), 10, simple.size());
        ByteArrayOutputStream full = new ByteArrayOutputStream();
        full.writeBytes(new byte[] {31, (byte) 139, 8, 2 | 4 | 8 | 16, 1, 2, 3, 4, 0, 3});
        full.writeBytes(new byte[] {3, 0, 7, 7, 7});
        full.writeBytes(new byte[] {'n', 0, 'c', 'c', 0, 9, 9});
        full.writeBytes(rest);
        full.writeBytes(simple.toByteArray());

        try (RecordCursor<String> cursor = LINES.read(new ByteArrayInputStream(full.toByteArray()), true)) {
            for (String expected : new String[] {"one", "two", "one", "two"}) {
                assertThat(cursor.next()).isTrue();
                assertThat(cursor.record()).isEqualTo(expected);
            }
            assertThat(cursor.next()).isFalse();
            assertThat(cursor.cutOff()).isZero();
        }
    }

    @Test
    void damageIsAnErrorOrTheSameRecords() {
        byte[] blob = LINES.seal(records(LINES, 50), true);
        Random random = new Random(1);
        int errors = 0;
        for (int i = 0; i < 500; i++) {
            byte[] damaged = blob.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            try {
                readAll(damaged);
            } catch (IOException e) {
                errors++;
            }
        }
        assertThat(errors).isGreaterThan(300);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> readAll("no gzip".getBytes()))
                .withMessage("at offset 0 begins no gzip member");
        byte[] wrong = blob.clone();
        wrong[wrong.length - 5] ^= 1;
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> readAll(wrong))
                .withMessage("the gzip member at offset 0 is damaged: its checksum does not fit");
    }

    private static void readAll(byte[] blob) throws IOException {
        try (RecordCursor<String> cursor = LINES.read(new ByteArrayInputStream(blob), true)) {
            while (cursor.next()) {
                cursor.record();
            }
        }
    }
}
