package io.stowline.table.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.table.internal.format.RowSplitter.RowForm;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowSplitterTest {

    private static List<String> rows(String file, RowForm form) throws IOException {
        RowSplitter splitter = new RowSplitter(new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8)), form);
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
}
