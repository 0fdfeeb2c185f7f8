package io.stowline.table.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.table.internal.format.RowSplitter.RowForm;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RowSplitterTest {

    private static List<String> rows(String file, RowForm form) throws IOException {
        return rows(new RowSplitter(new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8)), form));
    }

    private static List<String> rows(RowSplitter splitter) throws IOException {
        List<String> rows = new ArrayList<>();
        for (FileRow row = splitter.next(); row != null; row = splitter.next()) {
            rows.add(row.line() + ":" + row.shown());
        }
        return rows;
    }

    @Test
    void linesEndWithAnyLineEnd() throws IOException {
        assertThat(rows("{a}\r\n\r\n\n{b}\n{c}", RowForm.LINES)).containsExactly("1:{a}", "4:{b}", "5:{c}");
        assertThat(rows("", RowForm.LINES)).isEmpty();
        assertThat(rows("{a}\r\r{b}\r\n\r{c}\r", RowForm.LINES)).containsExactly("1:{a}", "3:{b}", "5:{c}");
    }

    @Test
    void recordsEndWithAnyLineEndOutsideOfQuotes() throws IOException {
        assertThat(rows("a,b\rc,\"d\re\r\nf\ng\"\rh,i\r\nj,k", RowForm.RECORDS))
                .containsExactly("1:a,b", "2:c,\"d\re\r\nf\ng\"", "5:h,i", "6:j,k");
    }

    @Test
    void aLineEndOfTwoMayLieOnTheBorderOfTheBuffer() throws IOException {
        for (int length = (64 << 10) - 3; length < (64 << 10) + 3; length++) {
            String row = "x".repeat(length);

            assertThat(rows(row + "\r\n" + row + "\r\nz", RowForm.RECORDS))
                    .containsExactly("1:" + row, "2:" + row, "3:z");
        }
    }

    @Test
    void linesAndRecordsMayBeLongerThanTheBuffer() throws IOException {
        String half = "x".repeat(100_000);

        assertThat(rows(half + "\r\n\n" + half + "\n{c}", RowForm.LINES))
                .containsExactly("1:" + half, "3:" + half, "4:{c}");
        assertThat(rows("a,\"" + half + "\n" + half + "\"\nb,c\n", RowForm.RECORDS))
                .containsExactly("1:a,\"" + half + "\n" + half + "\"", "3:b,c");
    }

    @Test
    void objectsOfAnArrayMayHoldBrackets() throws IOException {
        assertThat(rows("[ {\"a\":\"}\\\"{\"},\n{\"b\":{\"c\":1}}\n]", RowForm.ARRAY))
                .containsExactly("1:{\"a\":\"}\\\"{\"}", "2:{\"b\":{\"c\":1}}");
    }

    @Test
    void aCutArrayIsAnError() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> rows("[{\"a\":1},{\"b\"", RowForm.ARRAY))
                .withMessageContaining("has no end");
    }

    @Property(tries = 200)
    void linesAreSplitWhereverTheirBytesArrive(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        StringBuilder file = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int i = 1; i <= 400; i++) {
            String text = "é\t\u000B\u000F,\"x".repeat(random.nextInt(40) * random.nextInt(2))
                    + "y".repeat(1 + random.nextInt(3));
            file.append(text).append(List.of("\n", "\n", "\r\n", "\r").get(random.nextInt(4)));
            expected.add(i + ":" + text);
        }
        byte[] bytes = file.toString().getBytes(StandardCharsets.UTF_8);
        RowSplitter splitter = new RowSplitter(arriving(bytes, random), RowForm.LINES);

        assertThat(rows(splitter)).isEqualTo(expected);
    }

    /** The bytes come in pieces as a stream may give them. */
    private static InputStream arriving(byte[] bytes, Random random) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] target, int from, int length) {
                return super.read(target, from, Math.min(length, 1 + random.nextInt(500)));
            }
        };
    }
}
