package io.stowline.table.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.projection.internal.edm.EdmType;
import io.stowline.table.internal.json.ByteBuilder;
import io.stowline.table.internal.json.JsonField.JsonFieldPrefix;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntityJsonWriterTest {

    private static final JsonFieldPrefix TEXT = JsonFieldPrefix.of("Text", EdmType.STRING);
    private static final JsonFieldPrefix BYTES = JsonFieldPrefix.of("Bytes", EdmType.BINARY);

    private static String written(Consumer<EntityJsonWriter> properties) {
        ByteBuilder out = new ByteBuilder();
        EntityJsonWriter entity = new EntityJsonWriter(out);
        entity.begin("p", "r");
        properties.accept(entity);
        entity.end();
        if (entity.isTooLarge()) {
            throw entity.tooLarge("notes(p, r)");
        }
        return out.toString();
    }

    private static JsonFieldPrefix prefix(EdmType type) {
        return JsonFieldPrefix.of("V", type);
    }

    @Test
    @DisplayName("MAP-2: every type in the service's form, annotated where JSON does not tell it")
    void writesEveryType() {
        UUID id = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

        assertThat(written(out -> out.string(prefix(EdmType.STRING), "a\"b"))).endsWith(",\"V\":\"a\\\"b\"}");
        assertThat(written(out -> out.bool(prefix(EdmType.BOOLEAN), true))).endsWith(",\"V\":true}");
        assertThat(written(out -> out.bool(prefix(EdmType.BOOLEAN), false))).endsWith(",\"V\":false}");
        assertThat(written(out -> out.int32(prefix(EdmType.INT32), Integer.MIN_VALUE)))
                .endsWith("\"RowKey\":\"r\",\"V\":-2147483648}");
        assertThat(written(out -> out.int64(prefix(EdmType.INT64), Long.MAX_VALUE)))
                .endsWith(",\"V@odata.type\":\"Edm.Int64\",\"V\":\"9223372036854775807\"}");
        assertThat(written(
                        out -> out.dateTime(prefix(EdmType.DATETIME), Instant.parse("2024-02-29T12:00:00.123456789Z"))))
                .endsWith(",\"V@odata.type\":\"Edm.DateTime\",\"V\":\"2024-02-29T12:00:00.1234567Z\"}");
        assertThat(written(out -> out.guid(prefix(EdmType.GUID), id)))
                .endsWith(",\"V@odata.type\":\"Edm.Guid\",\"V\":\"" + id + "\"}");
        assertThat(written(out -> out.binary(prefix(EdmType.BINARY), new byte[] {1, 2, (byte) 0xFF})))
                .endsWith(",\"V@odata.type\":\"Edm.Binary\",\"V\":\"AQL/\"}");
        assertThat(written(out -> {
                    out.binary(prefix(EdmType.BINARY), new byte[96]);
                    out.binary(prefix(EdmType.BINARY), new byte[] {1, 2, (byte) 0xFF});
                    out.binary(prefix(EdmType.BINARY), new byte[0]);
                }))
                .contains("\"" + "A".repeat(128) + "\"")
                .contains("\"AQL/\"")
                .endsWith(":\"\"}");
    }

    @ParameterizedTest
    @DisplayName("MAP-2: a double is always annotated, a whole one too; what is no number travels as text")
    @CsvSource({
        "1.0, 1.0",
        "0.1, 0.1",
        "-0.0, -0.0",
        "1e300, 1.0E300",
        "NaN, '\"NaN\"'",
        "Infinity, '\"Infinity\"'",
        "-Infinity, '\"-Infinity\"'"
    })
    void writesDoubles(double value, String json) {
        assertThat(written(out -> out.doubleValue(prefix(EdmType.DOUBLE), value)))
                .endsWith(",\"V@odata.type\":\"Edm.Double\",\"V\":" + json + "}");
    }

    @Test
    @DisplayName("T20: a string of 32,768 characters goes, one more does not; the error names property, size and limit")
    void limitsStrings() {
        assertThatCode(() -> written(out -> out.string(TEXT, "x".repeat(32_768))))
                .doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> written(out -> out.string(TEXT, "x".repeat(32_769))))
                .withMessageContaining("Text")
                .withMessageContaining("32769")
                .withMessageContaining("32768");
    }

    @Test
    @DisplayName("T20: 64 KiB of bytes go, one more does not")
    void limitsBinaries() {
        assertThatCode(() -> written(out -> out.binary(BYTES, new byte[65_536])))
                .doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> written(out -> out.binary(BYTES, new byte[65_537])))
                .withMessageContaining("Bytes")
                .withMessageContaining("65537")
                .withMessageContaining("65536");
    }

    /** Fills the entity to the byte: 16 values of 64 KiB less what names, keys and overhead take. */
    private static void fill(EntityJsonWriter out, int beyond) {
        int left = 1024 * 1024 - 4 - 2 * 2 + beyond;
        int fixed = 8 + 2 * "Bytes".length() + 4;
        while (left > 0) {
            int value = Math.min(65_536, left - fixed);
            out.binary(BYTES, new byte[value]);
            left -= fixed + value;
        }
    }

    @Test
    @DisplayName("T20: an entity may measure 1 MiB by the service's rule, and not a byte more")
    void limitsTheEntity() {
        assertThatCode(() -> written(out -> fill(out, 0))).doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> written(out -> fill(out, 1)))
                .withMessageContaining("notes(p, r)")
                .withMessageContaining("1048577")
                .withMessageContaining("1048576");
    }

    @ParameterizedTest
    @DisplayName("T20: each type counts with the service's size")
    @CsvSource({"BOOLEAN, 1", "INT32, 4", "INT64, 8", "DOUBLE, 8", "DATETIME, 8", "GUID, 16", "STRING, 6"})
    void countsEachType(EdmType type, int size) {
        Consumer<EntityJsonWriter> property = out -> one(type, out);
        int whole = 8 + 2 + size;

        assertThatCode(() -> written(out -> {
                    fill(out, -whole);
                    property.accept(out);
                }))
                .doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> written(out -> {
                    fill(out, -whole + 1);
                    property.accept(out);
                }));
    }

    private static void one(EdmType type, EntityJsonWriter out) {
        switch (type) {
            case STRING -> out.string(prefix(type), "x");
            case BOOLEAN -> out.bool(prefix(type), true);
            case INT32 -> out.int32(prefix(type), 1);
            case INT64 -> out.int64(prefix(type), 1);
            case DOUBLE -> out.doubleValue(prefix(type), 1);
            case DATETIME -> out.dateTime(prefix(type), Instant.EPOCH);
            case GUID -> out.guid(prefix(type), new UUID(0, 1));
            case BINARY -> out.binary(prefix(type), new byte[1]);
        }
    }

    @Test
    @DisplayName("MAP-3: what cannot be written names its property")
    void namesTheProperty() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> written(out -> out.string(TEXT, "\uD800")))
                .withMessageContaining("property Text")
                .withMessageContaining("surrogate");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> written(out -> out.dateTime(prefix(EdmType.DATETIME), Instant.MAX)))
                .withMessageContaining("property V")
                .withMessageContaining("1601");
    }
}
