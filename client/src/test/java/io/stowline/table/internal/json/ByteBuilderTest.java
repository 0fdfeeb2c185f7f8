package io.stowline.table.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import io.stowline.table.internal.request.Texts;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteBuilderTest {

    private static final String LONG = "0123456789012345678901234567890123456789";

    @Provide
    static Arbitrary<String> texts() {
        return Texts.texts();
    }

    private static String read(byte[] json) throws IOException {
        try (JsonReader reader = JsonProviders.createReader(json)) {
            reader.nextToken();
            return reader.getString();
        }
    }

    @Property
    @Label("MAP-2: every valid text comes back from its JSON")
    void jsonRoundTrip(@ForAll("texts") String text) throws IOException {
        assertThat(read(new ByteBuilder().json(text).copy())).isEqualTo(text);
    }

    @Property
    @Label("MAP-2: however long a text is and wherever something stands that needs care, it comes back from its JSON")
    void longTexts(
            @ForAll("texts") String special,
            @ForAll @IntRange(max = 1_200) int before,
            @ForAll @IntRange(max = 1_200) int after)
            throws IOException {
        String text = "p".repeat(before) + special + "q".repeat(after);

        assertThat(read(new ByteBuilder().json(text).copy())).isEqualTo(text);
    }

    @Test
    @DisplayName("large contents in a row use one buffer, which is left after some that are small")
    void largeBuffer() {
        ByteBuilder out = new ByteBuilder();
        byte[] large = new byte[2 * ByteBuilder.KEPT];
        int grown = out.raw(large).array().length;

        for (int i = 0; i < 3; i++) {
            // The address of an entity precedes it in the same buffer.
            out.clear();
            out.ascii("(PartitionKey='p')").clear();
            assertThat(out.array()).hasSize(grown);
            assertThat(out.raw(large).copy()).isEqualTo(large);
        }
        out.clear();
        for (int i = 1; i < ByteBuilder.PATIENCE; i++) {
            out.ascii("small").clear();
            assertThat(out.array()).hasSize(grown);
        }
        out.ascii("small").clear();
        assertThat(out.array().length).isLessThan(ByteBuilder.KEPT);
    }

    @Test
    @DisplayName("a buffer of ordinary size is kept however many small contents come")
    void ordinaryBuffer() {
        ByteBuilder out = new ByteBuilder();
        int grown = out.raw(new byte[100_000]).array().length;

        for (int i = 0; i < 3 * ByteBuilder.PATIENCE; i++) {
            out.clear();
        }
        assertThat(out.array()).hasSize(grown);
    }

    @Property
    @Label("MAP-2: plain ASCII stands in JSON as it is, everything else of ASCII is escaped")
    void asciiInAnyPlace(
            @ForAll @IntRange(max = 127) int c,
            @ForAll @IntRange(max = 40) int before,
            @ForAll @IntRange(max = 40) int after) {
        String escaped =
                c < 0x20 ? String.format("\\u%04X", c) : c == '"' || c == '\\' ? "\\" + (char) c : "" + (char) c;

        assertThat(new ByteBuilder().json("x".repeat(before) + (char) c + "x".repeat(after)))
                .hasToString("\"" + "x".repeat(before) + escaped + "x".repeat(after) + "\"");
    }

    @Property
    @Label("MAP-2: every long stands there as Java writes it")
    void numbers(@ForAll long value) {
        assertThat(new ByteBuilder().number(value)).hasToString(Long.toString(value));
    }

    @ParameterizedTest
    @ValueSource(
            longs = {0, 9, 10, -9, -10, 99, 100, 999_999_999_999_999_999L, 1_000_000_000_000_000_000L, Long.MAX_VALUE})
    void numbersAtTheirBounds(long value) {
        assertThat(new ByteBuilder().number(value)).hasToString(Long.toString(value));
        assertThat(new ByteBuilder().number(-value)).hasToString(Long.toString(-value));
    }

    @Property
    @Label("MAP-2: every UUID stands there as Java writes it")
    void uuids(@ForAll long high, @ForAll long low) {
        assertThat(new ByteBuilder().uuid(new UUID(high, low))).hasToString(new UUID(high, low).toString());
    }

    @Property
    @Label("MAP-4: every valid text comes back from a URL, and only unreserved characters stand in it bare")
    void urlRoundTrip(@ForAll("texts") String text) {
        String url = new ByteBuilder().url(text).toString();

        assertThat(URLDecoder.decode(url, StandardCharsets.UTF_8)).isEqualTo(text);
        assertThat(url).matches("([A-Za-z0-9._~-]|%[0-9A-F]{2})*");
    }

    @Property
    @Label("MAP-4: a key in an address comes back once its quotes are single again")
    void keyRoundTrip(@ForAll("texts") String text) {
        String decoded = URLDecoder.decode(new ByteBuilder().key(text).toString(), StandardCharsets.UTF_8);

        assertThat(decoded).isEqualTo(text.replace("'", "''"));
    }

    @ParameterizedTest
    @CsvSource({"' ', %20", "+, %2B", "/, %2F", "é, %C3%A9", "東, %E6%9D%B1", "😀, %F0%9F%98%80", "a-b_c.d~e, a-b_c.d~e"
    })
    void percentEncodes(String text, String encoded) {
        assertThat(new ByteBuilder().url(text)).hasToString(encoded);
    }

    @Test
    void doublesQuotesInKeysOnly() {
        assertThat(new ByteBuilder().key("O'Neil''s")).hasToString("O%27%27Neil%27%27%27%27s");
        assertThat(new ByteBuilder().url("O'Neil")).hasToString("O%27Neil");
    }

    @Test
    void escapesOnlyWhatJsonDemands() {
        assertThat(new ByteBuilder().json("a\"b\\c\n\u0000\u001F/é😀"))
                .hasToString("\"a\\\"b\\\\c\\u000A\\u0000\\u001F/é😀\"");
        assertThat(new ByteBuilder().json("")).hasToString("\"\"");
    }

    @ParameterizedTest
    @DisplayName("MAP-2: half of a surrogate pair is refused, not replaced")
    @ValueSource(
            strings = {"\uD800", "a\uDC00", "\uD83D\uD83D\uDE00", "é\uDFFFz", LONG + "\uD83D", LONG + "\uD83D" + LONG})
    void refusesLoneSurrogates(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ByteBuilder().json(text))
                .withMessageContaining("half of a surrogate pair (U+d");
    }

    @Test
    void growsAsNeeded() {
        String large = "東".repeat(100_000);

        assertThat(new ByteBuilder().json(large)).hasToString("\"" + large + "\"");
        assertThat(new ByteBuilder().raw(new byte[5_000]).size()).isEqualTo(5_000);
        assertThat(new ByteBuilder().ascii("x".repeat(5_000)).size()).isEqualTo(5_000);
    }

    @Test
    void canBeUsedAgain() {
        ByteBuilder out = new ByteBuilder().ascii("first");
        out.clear();
        assertThat(out.ascii("second")).hasToString("second");
        assertThat(out.size()).isEqualTo(6);
    }

    @Test
    void writesNumbersAndBytes() {
        ByteBuilder out =
                new ByteBuilder().number(Long.MIN_VALUE).one(' ').raw("cde".getBytes(StandardCharsets.US_ASCII));

        assertThat(out).hasToString("-9223372036854775808 cde");
        byte[] copy = out.copy();
        out.clear();
        assertThat(new String(copy, StandardCharsets.US_ASCII)).startsWith("-922");
    }
}
