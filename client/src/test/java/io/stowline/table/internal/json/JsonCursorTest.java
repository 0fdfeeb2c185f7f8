package io.stowline.table.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonWriter;
import io.stowline.table.internal.request.Texts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonCursorTest {

    @Provide
    static Arbitrary<String> texts() {
        return Texts.texts();
    }

    /** A value of any kind, nested up to four levels; the texts are those given. */
    private static @Nullable Object value(Random random, List<String> texts, int depth) {
        return switch (random.nextInt(depth > 3 ? 5 : 7)) {
            case 0 -> texts.get(random.nextInt(texts.size()));
            case 1 -> random.nextLong() >> random.nextInt(64);
            case 2 -> random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20);
            case 3 -> random.nextBoolean();
            case 4 -> null;
            case 5 -> {
                List<@Nullable Object> list = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(value(random, texts, depth + 1));
                }
                yield list;
            }
            default -> {
                Map<String, @Nullable Object> map = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    map.put(texts.get(random.nextInt(texts.size())), value(random, texts, depth + 1));
                }
                yield map;
            }
        };
    }

    private static JsonCursor cursor(String json) {
        return new JsonCursor(json.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] written(@Nullable Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonWriter writer = JsonProviders.createWriter(bytes)) {
            writer.writeUntyped(value);
        }
        return bytes.toByteArray();
    }

    /** Everything, as maps, lists and scalars; numbers as their text. */
    private static @Nullable Object all(JsonCursor json) throws IOException {
        return switch (json.kind()) {
            case STRING -> json.string();
            case NUMBER -> json.number().text();
            case BOOLEAN -> json.bool();
            case NULL -> json.scalar();
            case OBJECT -> {
                Map<String, @Nullable Object> map = new LinkedHashMap<>();
                for (boolean more = json.enter('{', '}'); more; more = json.more('}')) {
                    map.put(json.name(), all(json));
                }
                yield map;
            }
            case ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>();
                for (boolean more = json.enter('[', ']'); more; more = json.more(']')) {
                    list.add(all(json));
                }
                yield list;
            }
        };
    }

    /** Reads the value by azure-json. */
    private static @Nullable Object all(JsonReader json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> map = new LinkedHashMap<>();
                while (json.nextToken() != com.azure.json.JsonToken.END_OBJECT) {
                    String name = json.getFieldName();
                    json.nextToken();
                    map.put(name, all(json));
                }
                yield map;
            }
            case START_ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>();
                while (json.nextToken() != com.azure.json.JsonToken.END_ARRAY) {
                    list.add(all(json));
                }
                yield list;
            }
            case BOOLEAN -> json.getBoolean();
            case NULL -> null;
            default -> json.getString();
        };
    }

    private static @Nullable Object byAzure(byte[] json) throws IOException {
        try (JsonReader reader = JsonProviders.createReader(json)) {
            reader.nextToken();
            return all(reader);
        }
    }

    @Property(tries = 500)
    @Label("MAP-2: whatever azure-json writes is read as azure-json reads it, and passed over to its end")
    void readsLikeAzureJson(@ForAll("texts") String one, @ForAll("texts") String other, @ForAll long seed)
            throws IOException {
        byte[] json = written(value(new Random(seed), List.of(one, other, one + other, ""), 0));
        JsonCursor cursor = new JsonCursor(Arrays.copyOf(json, json.length + 1));

        assertThat(all(new JsonCursor(json))).isEqualTo(byAzure(json));
        cursor.skip();
        assertThatIOException().isThrownBy(cursor::kind).withMessageContaining("at byte " + json.length);
    }

    @Property(tries = 500)
    @Label("MAP-5: JSON that is cut anywhere is an error, never a smaller value")
    void cutInput(@ForAll("texts") String text, @ForAll @IntRange(max = 500) int cut) throws IOException {
        byte[] json = written(List.of(Map.of("name", text, "other", 1.5), true, List.of(text, -7)));
        byte[] begin = Arrays.copyOf(json, Math.min(cut, json.length - 1));

        assertThatIOException().isThrownBy(() -> all(new JsonCursor(begin)));
        assertThatIOException().isThrownBy(() -> new JsonCursor(begin).skip());
    }

    @Property(tries = 1_000)
    @Label("MAP-5: whatever one byte is changed to, it is an error or what azure-json reads, too")
    void changedInput(@ForAll("texts") String text, @ForAll @IntRange(max = 200) int place, @ForAll byte change)
            throws IOException {
        byte[] json = written(Arrays.asList(Map.of("name", text, "n", -12.5e3), true, null, List.of(text, 120, 0.5)));
        json[1 + place % (json.length - 1)] = change;
        Object read;
        try {
            read = all(new JsonCursor(json));
        } catch (IOException e) {
            return;
        }

        assertThat(read).isEqualTo(byAzure(json));
    }

    @Property
    @Label("MAP-5: any bytes at all end in a value or an IOException")
    void survivesAnything(@ForAll byte[] junk) {
        for (byte first : new byte[] {'[', '{', '"', '-', 't'}) {
            byte[] bytes = Arrays.copyOf(new byte[] {first}, junk.length + 1);
            System.arraycopy(junk, 0, bytes, 1, junk.length);
            try {
                new JsonCursor(bytes).skip();
            } catch (IOException e) {
                assertThat(e).hasMessageMatching("(?s).+");
            }
        }
    }

    @ParameterizedTest
    @DisplayName("MAP-2: every escape of JSON, surrogates in pairs and alone")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "\\\", 22",
                "\\\\, 5c",
                "\\/, 2f",
                "\\b, 8",
                "\\f, c",
                "\\n, a",
                "\\r, d",
                "\\t, 9",
                "\\u0000, 0",
                "\\u00e9, e9",
                "\\u6771, 6771",
                "\\uD83D\\uDE00, 1f600",
                "\\uDEAD, dead"
            })
    void escapes(String escape, String codePoint) throws IOException {
        String character = Character.toString(Integer.parseInt(codePoint, 16));

        assertThat(cursor('"' + escape + '"').string()).isEqualTo(character);
        assertThat(cursor("\"before é " + escape + escape + " after\"").string())
                .isEqualTo("before é " + character + character + " after");
    }

    @ParameterizedTest
    @DisplayName("MAP-5: what is no JSON is refused")
    @ValueSource(
            strings = {
                "",
                " ",
                "tru",
                "nul",
                "falsy",
                "+1",
                "01",
                "-01",
                "-",
                "1.",
                ".5",
                "1e",
                "1e+",
                "1.e5",
                "NaN",
                "'a'",
                "\"a",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12G4\"",
                "\"\\",
                "\"\t\"",
                "\"\u0000\"",
                "[1,]",
                "[1 2]",
                "[,1]",
                "[1",
                "[1}",
                "{\"a\":1,}",
                "{\"a\" 1}",
                "{a:1}",
                "{\"a\":}",
                "{1:1}",
                "{\"a\":1]"
            })
    void malformed(String json) {
        assertThatIOException().isThrownBy(() -> cursor(json).skip()).withMessageMatching("(?s).+");
        assertThatIOException().isThrownBy(() -> all(cursor(json)));
    }

    @Test
    @DisplayName(
            "MAP-5: bytes that are no UTF-8 are refused, not replaced; a replacement character that was sent is kept")
    void notUtf8() throws IOException {
        for (byte[] wrong : List.of(
                new byte[] {'"', (byte) 0x80, '"'},
                new byte[] {'"', (byte) 0xC3, '"'},
                new byte[] {'"', 'a', (byte) 0xE6, (byte) 0x9D, '"'},
                new byte[] {'"', (byte) 0xC0, (byte) 0x80, '"'},
                new byte[] {'"', (byte) 0xFF, '"'})) {
            assertThatIOException()
                    .isThrownBy(() -> new JsonCursor(wrong).string())
                    .withMessageContaining("not UTF-8");
        }
        assertThat(cursor("\"a\uFFFDb\"").string()).isEqualTo("a\uFFFDb");
    }

    @Test
    void whiteSpaceIsPassedOver() throws IOException {
        assertThat(all(cursor(" \r\n\t{ \"a\" : [ 1 , true , null ] , \"b\" : { } , \"c\" : [ ] } ")))
                .isEqualTo(Map.of("a", Arrays.asList("1", true, null), "b", Map.of(), "c", List.of()));
    }

    @Test
    @DisplayName("MAP-5: values that are nested without end do not exhaust the stack")
    void depth() throws IOException {
        cursor("[".repeat(60) + "]".repeat(60)).skip();

        assertThatIOException()
                .isThrownBy(() -> cursor("[".repeat(1_000_000)).skip())
                .withMessageContaining("deeper than 64");
        assertThatIOException()
                .isThrownBy(() -> cursor("{\"a\":".repeat(1_000)).skip())
                .withMessageContaining("deeper than 64");
    }

    @Property
    @Label("MAP-2: a text that is expected is given back as the same object if it is the same, and read if it is not")
    void again(@ForAll("texts") String likely, @ForAll("texts") String text) throws IOException {
        byte[] json = new ByteBuilder().json(text).one(',').copy();
        JsonCursor cursor = new JsonCursor(json);

        assertThat(cursor.again(likely)).isEqualTo(text);
        assertThat(cursor.more(']')).isTrue();
        assertThat(new JsonCursor(json).again(text)).isEqualTo(text);
    }

    @Test
    void theSameTextAgainIsNotMadeAnew() throws IOException {
        String likely = "partition-1";

        assertThat(cursor("\"partition-1\"").again(likely)).isSameAs(likely);
        assertThat(cursor("\"a\\nb\"").again("a\\nb")).isEqualTo("a\nb");
        assertThat(cursor("\"partition-12\"").again(likely)).isEqualTo("partition-12");
        assertThat(cursor("\"\"").again("")).isEmpty();
        assertThatThrownBy(() -> cursor("\"partition-1").again(likely)).isInstanceOf(IOException.class);
    }

    @Test
    void scalarsAsText() throws IOException {
        assertThat(cursor("\"a\"").scalar()).isEqualTo("a");
        assertThat(cursor("1.50").scalar()).isEqualTo("1.50");
        assertThat(cursor("false").scalar()).isEqualTo("false");
        assertThat(cursor("null").scalar()).isNull();
        assertThat(cursor("{\"a\":[1]}").scalar()).isNull();
        assertThat(cursor("[]").scalar()).isNull();
    }
}
