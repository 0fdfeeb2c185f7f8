package io.stowline.table.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CsvTextTest {

    /** A field in quotes with what follows its closing quote, one whose quote is not closed, or one without quotes. */
    private static final Pattern FIELD =
            Pattern.compile("(\"[^\"]*+(?:\"\"[^\"]*+)*+\")([^,\r\n]*+)|(\"[^\r\n]*+)|([^,\r\n]*+)");

    private static final Pattern LINE_END = Pattern.compile("\r\n?|\n");

    @Property(tries = 1_000)
    void recordsComeBack(@ForAll("records") List<List<String>> records) throws IOException {
        StringBuilder file = new StringBuilder();
        records.forEach(record -> file.append(CsvText.record(record)));
        RowSplitter rows = new RowSplitter(
                new ByteArrayInputStream(file.toString().getBytes(StandardCharsets.UTF_8)),
                RowSplitter.RowForm.RECORDS);

        for (List<String> record : records) {
            FileRow row = rows.next();
            assertThat(row).isNotNull();
            assertThat(CsvText.fields(row.shown())).isEqualTo(record);
        }
        assertThat(rows.next()).isNull();
    }

    @Provide
    Arbitrary<List<List<String>>> records() {
        Arbitrary<String> field = Arbitraries.strings()
                .withChars('a', ' ', ',', '"', '\n', 'ä')
                .ofMaxLength(6)
                .injectNull(0.2);
        return field.list().ofMinSize(2).ofMaxSize(5).list().ofMaxSize(6);
    }

    @Test
    void brokenQuotesAreErrors() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> CsvText.fields("a,\"b"))
                .withMessageContaining("field 2: its quote is not closed");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> CsvText.fields("\"a\"b,c"))
                .withMessageContaining("follows the closing quote");
    }

    /** The records of a file by the grammar of RFC 4180, with the text of quotes elsewhere: {@code null} for one that is rejected. */
    private static List<@Nullable List<@Nullable String>> reference(String file) {
        List<@Nullable List<@Nullable String>> records = new ArrayList<>();
        Matcher end = LINE_END.matcher(file);
        int at = 0;
        while (at < file.length()) {
            int from = at;
            boolean rejected = false;
            List<@Nullable String> fields = new ArrayList<>();
            Matcher field = FIELD.matcher(file);
            while (true) {
                assertThat(field.region(at, file.length()).lookingAt()).isTrue();
                at = field.end();
                rejected |= field.group(3) != null
                        || (field.group(1) != null && !field.group(2).isEmpty());
                String quoted = field.group(1);
                String plain = field.group(4);
                fields.add(
                        quoted != null
                                ? quoted.substring(1, quoted.length() - 1).replace("\"\"", "\"")
                                : plain == null || plain.isEmpty() ? null : plain);
                if (at == file.length() || file.charAt(at) != ',') {
                    break;
                }
                at++;
            }
            if (at > from) {
                records.add(rejected ? null : fields);
            }
            if (end.region(at, file.length()).lookingAt()) {
                at = end.end();
            }
        }
        return records;
    }

    private static List<@Nullable List<@Nullable String>> read(byte[] file, Random pieces) throws IOException {
        InputStream arriving = new ByteArrayInputStream(file) {
            @Override
            public synchronized int read(byte[] target, int from, int length) {
                return super.read(target, from, Math.min(length, 1 + pieces.nextInt(5)));
            }
        };
        RowSplitter rows = new RowSplitter(arriving, RowSplitter.RowForm.RECORDS);
        List<@Nullable List<@Nullable String>> records = new ArrayList<>();
        for (FileRow row = rows.next(); row != null; row = rows.next()) {
            try {
                records.add(CsvText.fields(row.decoded()));
            } catch (IOException rejected) {
                records.add(null);
            }
        }
        return records;
    }

    @Property(tries = 5_000)
    @Label("MOVE-3: rows with quotes anywhere are those of the grammar of RFC 4180")
    void quotesAnywhere(@ForAll("texts") String file, @ForAll long seed) throws IOException {
        assertThat(read(file.getBytes(StandardCharsets.UTF_8), new Random(seed)))
                .isEqualTo(reference(file));
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of("a", "b", ",", ",", "\"", "\"", "\"\"", "\n", "\r", "\r\n", " ", "ä", "\\")
                .list()
                .ofMaxSize(40)
                .map(parts -> String.join("", parts));
    }

    private static List<String> rows(String file) throws IOException {
        RowSplitter rows = new RowSplitter(
                new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8)), RowSplitter.RowForm.RECORDS);
        List<String> found = new ArrayList<>();
        for (FileRow row = rows.next(); row != null; row = rows.next()) {
            found.add(row.line() + ":" + (row.isWhole() ? row.shown() : row.length()));
        }
        return found;
    }

    @Test
    void aStrayQuoteIsTextOfOneRow() throws IOException {
        assertThat(rows("p,0,5\" wide,1\np,1,a,1\np,2,\"x\\\"y\",1\np,3,b,1\n"))
                .containsExactly("1:p,0,5\" wide,1", "2:p,1,a,1", "3:p,2,\"x\\\"y\",1", "4:p,3,b,1");
        assertThat(CsvText.fields("p,0,5\" wide,\"1\"")).containsExactly("p", "0", "5\" wide", "1");
    }

    @Test
    void aQuoteThatIsNotClosedEndsWithItsLine() throws IOException {
        assertThat(rows("a,\"b\r\nc\",\"d\r\n\r\ne,\"\"\r\nf,g"))
                .containsExactly("1:a,\"b\r\nc\",\"d", "4:e,\"\"", "5:f,g");
        String good = "p,1,x\n";
        int count = (RowSplitter.MAX_ROW + 300_000) / good.length();
        assertThat(rows("p,0,\"x\n" + good.repeat(count) + "q,2,\"y\""))
                .hasSize(count + 2)
                .startsWith("1:p,0,\"x", "2:p,1,x")
                .endsWith(count + 1 + ":p,1,x", count + 2 + ":q,2,\"y\"");
    }

    @Test
    void aRowThatIsTooLongEndsWithItsLineOrItsQuote() throws IOException {
        String text = "x".repeat(RowSplitter.MAX_ROW + 1);

        assertThat(rows("a,\"" + text + "\nb,c\n")).containsExactly("1:" + (text.length() + 3), "2:b,c");
        assertThat(rows(text + ",\"\nb,c\n")).containsExactly("1:" + (text.length() + 2), "2:b,c");
        assertThat(rows("\"a" + text + "\",\"b\"\nb,c\n")).containsExactly("1:" + (text.length() + 7), "2:b,c");
    }

    @Test
    void aRowThatIsNotUtf8NamesTheByte() {
        FileRow row = new FileRow(1, "p,1,Jörg".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(row.isUtf8()).isFalse();
        assertThatExceptionOfType(IOException.class).isThrownBy(row::decoded).withMessageContaining("at its byte 5");
        assertThat(new FileRow(1, "p,1,\uFFFD".getBytes(StandardCharsets.UTF_8)).isUtf8())
                .isTrue();
    }
}
