package io.stowline.testkit.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.internal.strict.table.EntitySize;
import io.stowline.testkit.internal.wire.EntityBody.BodyProperty;
import io.stowline.testkit.internal.wire.EntityBody.JsonKind;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntityBodyTest {

    /** A value as JSON, with the type that it is annotated with, and what it measures by the formula. */
    record Value(String json, String type, long size) {}

    @net.jqwik.api.Property
    @Label("the size of an entity is the sum of the published formula, wherever the annotations stand")
    void measuresByTheFormula(@ForAll("values") List<Value> values, @ForAll boolean annotationFirst) {
        StringBuilder json =
                new StringBuilder("{\"PartitionKey\":\"pk\",\"RowKey\":\"é\",\"Timestamp\":\"x\",\"gone\":null");
        long expected = 4 + 2 * (2 + 1);
        for (int i = 0; i < values.size(); i++) {
            String name = "p" + i;
            String value = "\"" + name + "\":" + values.get(i).json();
            String annotation = "\"" + name + "@odata.type\":\"" + values.get(i).type() + "\"";
            json.append(',').append(annotationFirst ? annotation + "," + value : value + "," + annotation);
            expected += 8 + 2L * name.length() + values.get(i).size();
        }

        EntityBody entity = parsed(json + "}");

        assertThat(EntitySize.of(entity)).isEqualTo(expected);
        assertThat(entity.properties()).hasSize(values.size() + 4);
    }

    @Provide
    Arbitrary<List<Value>> values() {
        Arbitrary<Value> texts = Arbitraries.strings()
                .withCharRange(' ', '\u07FF')
                .excludeChars('"', '\\', '\u007F')
                .ofMaxLength(40)
                .map(text -> new Value("\"" + text + "\"", "Edm.String", 4 + 2L * text.length()));
        Arbitrary<Value> binaries = Arbitraries.bytes()
                .array(byte[].class)
                .ofMaxSize(40)
                .map(bytes -> new Value(
                        "\"" + Base64.getEncoder().encodeToString(bytes) + "\"", "Edm.Binary", 4L + bytes.length));
        Arbitrary<Value> fixed = Arbitraries.of(
                new Value("true", "Edm.Boolean", 1),
                new Value("5", "Edm.Int32", 4),
                new Value("\"5\"", "Edm.Int64", 8),
                new Value("5.5", "Edm.Double", 8),
                new Value("\"2026-11-21T00:00:00Z\"", "Edm.DateTime", 8),
                new Value("\"4185404a-5818-48c3-b9be-f217df0dba6f\"", "Edm.Guid", 16));
        return Arbitraries.oneOf(texts, binaries, fixed).list().ofMaxSize(12);
    }

    @net.jqwik.api.Property
    @Label("names and texts of any characters are read back")
    void readsAnyText(@ForAll("names") String name, @ForAll("names") String text) {
        EntityBody entity = parsed("{\"" + escaped(name) + "\":\"" + escaped(text) + "\"}");

        assertThat(entity.properties()).containsExactly(new BodyProperty(name, JsonKind.TEXT, text, null));
    }

    @Provide
    Arbitrary<String> names() {
        return Combinators.combine(
                        Arbitraries.strings()
                                .withCharRange('\0', '\uD7FF')
                                .ofMinLength(1)
                                .ofMaxLength(30),
                        Arbitraries.of("", "\uD83D\uDE00", "\"", "\\"))
                .as((head, tail) -> head + tail)
                .filter(text -> !text.contains("odata."));
    }

    private static String escaped(String text) {
        return text.chars().mapToObj(c -> String.format("\\u%04x", c)).collect(Collectors.joining());
    }

    @Test
    void tellsTheKindsOfValues() {
        EntityBody entity = parsed("{\"a\":\"\",\"b\":1,\"c\":1e3,\"d\":false,\"e\":null,\"f\":{\"x\":[1]},\"g\":[]}");

        assertThat(entity.properties().stream().map(BodyProperty::kind))
                .containsExactly(
                        JsonKind.TEXT,
                        JsonKind.INTEGER,
                        JsonKind.FRACTION,
                        JsonKind.BOOLEAN,
                        JsonKind.NULL,
                        JsonKind.NESTED,
                        JsonKind.NESTED);
    }

    @Test
    void leavesControlInformationOut() {
        EntityBody entity = parsed(
                "{\"odata.etag\":\"x\",\"odata.metadata\":{},\"a@odata.mediaType\":\"y\",\"b@odata.type\":{\"c\":1},\"a\":1,\"a\":2}");

        assertThat(entity.properties().stream().map(BodyProperty::name)).containsExactly("a", "a");
        assertThat(entity.repeated()).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{\"a\":", "{\"a\":1", "text", "5"})
    void givesUpWhatIsNoObject(String body) {
        assertThat(EntityBody.of(Bytes.all(body.getBytes(StandardCharsets.UTF_8))))
                .isEmpty();
    }

    private static EntityBody parsed(String json) {
        return EntityBody.of(Bytes.all(json.getBytes(StandardCharsets.UTF_8)))
                .orElseThrow(() -> new AssertionError("no object: " + json));
    }
}
