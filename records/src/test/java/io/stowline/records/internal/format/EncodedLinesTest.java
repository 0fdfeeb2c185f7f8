package io.stowline.records.internal.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.records.internal.format.RecordCodec.RecordCursor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class EncodedLinesTest {

    private static final FramedCodec<byte[]> CODEC = FramedCodec.encodedLines();

    private static byte[] blob(FramedCodec<byte[]> codec, String... records) throws IOException {
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        for (String record : records) {
            encoded.write(codec.encode(record.getBytes(StandardCharsets.UTF_8)));
        }
        return codec.seal(encoded.toByteArray(), true);
    }

    private static List<String> read(FramedCodec<byte[]> codec, byte[] blob) throws IOException {
        List<String> lines = new ArrayList<>();
        try (RecordCursor<byte[]> cursor = codec.read(new ByteArrayInputStream(blob), true)) {
            while (cursor.next()) {
                lines.add(new String(cursor.record(), StandardCharsets.UTF_8));
            }
        }
        return lines;
    }

    @Test
    @DisplayName("records stand in the blob as they are, each with one line end at its end at least")
    void bytes() throws IOException {
        assertThat(blob(CODEC, "a\n", "b", "", "c\r\n", "d\n\n"))
                .isEqualTo("a\nb\n\nc\r\nd\n\n".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @DisplayName("a record of several lines is read line by line, also compressed and behind a header")
    void severalLines() throws IOException {
        FramedCodec<byte[]> codec = CODEC.withHeader("# pattern").gzip();

        assertThat(read(codec, blob(codec, "ERROR failed\njava.lang.Error\n\tat A.b\n", "INFO é\n")))
                .containsExactly("ERROR failed", "java.lang.Error", "\tat A.b", "INFO é");
    }
}
