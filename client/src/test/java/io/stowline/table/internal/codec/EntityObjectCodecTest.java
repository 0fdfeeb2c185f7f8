package io.stowline.table.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpHeaders;
import io.stowline.projection.PropertyConversionException;
import io.stowline.table.Entity;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.codec.RowReader.DecodedRow;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.table.internal.request.Encoded;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.OperationEncoder;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.table.internal.request.Texts;
import io.stowline.transport.internal.http.StorageResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntityObjectCodecTest {

    private final EntityObjectCodec codec = new EntityObjectCodec(null);
    private final OperationEncoder encoder = new OperationEncoder("t", "https://acct.test/t");

    @Provide
    static Arbitrary<List<Object>> values() {
        Arbitrary<Object> each = Arbitraries.oneOf(
                Texts.texts().map(Object.class::cast),
                Arbitraries.of(true, false).map(Object.class::cast),
                Arbitraries.integers().map(Object.class::cast),
                Arbitraries.longs().map(Object.class::cast),
                Arbitraries.doubles().map(Object.class::cast),
                Arbitraries.of(Double.NaN, Double.NEGATIVE_INFINITY, -0.0, 5.0).map(Object.class::cast),
                Arbitraries.longs()
                        .between(-11_644_473_600L, 253_402_300_799L)
                        .map(second -> Instant.ofEpochSecond(second, Math.floorMod(second, 10_000_000) * 100L)),
                Arbitraries.longs().map(bits -> new UUID(bits, ~bits)),
                Arbitraries.bytes().array(byte[].class).map(Object.class::cast));
        return each.list().ofMaxSize(12);
    }

    private byte[] json(Entity entity) {
        return Encoded.json(encoder.encode(EntityVerb.INSERT, entity, codec, null));
    }

    private Entity read(String json) {
        return read(json.getBytes(StandardCharsets.UTF_8)).value();
    }

    private DecodedRow<Entity> read(byte[] json) {
        return RowDecoder.row(new StorageResponse(200, new HttpHeaders(), json), codec);
    }

    @Property
    @Label("MAP-2: values of every type come back with their types")
    void roundTrips(@ForAll("values") List<Object> values) {
        Entity.Builder builder = Entity.builder("p", "r");
        for (int i = 0; i < values.size(); i++) {
            builder.set("P" + i, values.get(i));
        }
        Entity entity = builder.build();

        assertThat(read(json(entity)).value()).isEqualTo(entity);
    }

    @ParameterizedTest(name = "{0} as {1} is {2}")
    @DisplayName("MAP-2: an annotation counts whether it comes before or after its value")
    @CsvSource({
        "'\"9223372036854775807\"', Edm.Int64, java.lang.Long",
        "5, Edm.Int64, java.lang.Long",
        "5, Edm.Double, java.lang.Double",
        "'\"NaN\"', Edm.Double, java.lang.Double",
        "'\"2024-02-29T12:00:00.1234567Z\"', Edm.DateTime, java.time.Instant",
        "'\"00112233-4455-6677-8899-aabbccddeeff\"', Edm.Guid, java.util.UUID",
        "'\"AQI=\"', Edm.Binary, byte[]",
        "'\"text\"', Edm.String, java.lang.String",
        "7, Edm.Int32, java.lang.Integer",
        "true, Edm.Boolean, java.lang.Boolean"
    })
    void annotationBeforeOrAfter(String value, String type, String javaType) {
        String annotation = "\"V@odata.type\":\"" + type + "\"";
        Object before = read("{" + annotation + ",\"V\":" + value + "}").get("V");
        Object after = read("{\"V\":" + value + "," + annotation + "}").get("V");

        assertThat(before.getClass().getTypeName()).isEqualTo(javaType);
        assertThat(after).isEqualTo(before);
    }

    @ParameterizedTest
    @DisplayName("MAP-2: without annotation a number is what it looks like")
    @CsvSource({
        "7, java.lang.Integer",
        "-2147483648, java.lang.Integer",
        "3000000000, java.lang.Long",
        "1.0, java.lang.Double",
        "1e3, java.lang.Double"
    })
    void bareNumbers(String value, String javaType) {
        assertThat(read("{\"V\":" + value + "}").get("V").getClass().getName()).isEqualTo(javaType);
    }

    @Test
    @DisplayName("MAP-2: null is absent, odata's own is skipped, keys and time stamp are no properties")
    void skipsWhatIsNoProperty() {
        DecodedRow<Entity> row = read(
                ("{\"odata.metadata\":\"m\",\"odata.etag\":\"W/\\\"1\\\"\",\"odata.id\":\"i\",\"PartitionKey\":\"p\","
                                + "\"RowKey\":\"r\",\"Timestamp@odata.type\":\"Edm.DateTime\",\"Timestamp\":\"2024-02-29T12:00:00Z\","
                                + "\"Gone\":null,\"Here\":1}")
                        .getBytes(StandardCharsets.UTF_8));

        assertThat(row.value())
                .isEqualTo(Entity.builder("p", "r").set("Here", 1).build());
        assertThat(row.value().timestamp()).isEqualTo(Instant.parse("2024-02-29T12:00:00Z"));
        assertThat(row.etag()).isEqualTo("W/\"1\"");
    }

    @Test
    @DisplayName("MAP-2: rows of one page do not mix")
    void rowsDoNotMix() {
        String page = "{\"value\":[{\"PartitionKey\":\"p\",\"RowKey\":\"1\",\"X@odata.type\":\"Edm.Int64\",\"A\":1},"
                + "{\"PartitionKey\":\"p\",\"RowKey\":\"2\",\"X\":\"5\"},{\"RowKey\":\"3\"}]}";
        StorageResponse response = new StorageResponse(200, new HttpHeaders(), page.getBytes(StandardCharsets.UTF_8));

        assertThat(RowDecoder.rows(new QueryPage(response, null), codec.reader()))
                .extracting(DecodedRow::value)
                .containsExactly(
                        Entity.builder("p", "1").set("A", 1).build(),
                        Entity.builder("p", "2").set("X", "5").build(),
                        Entity.builder("", "3").build());
    }

    @ParameterizedTest
    @DisplayName("MAP-2: a value that is not of its type is an error of conversion, not a guess")
    @ValueSource(
            strings = {
                "{\"V@odata.type\":\"Edm.Int64\",\"V\":\"x\"}",
                "{\"V\":\"x\",\"V@odata.type\":\"Edm.Guid\"}",
                "{\"V@odata.type\":\"Edm.Binary\",\"V\":\"*\"}",
                "{\"V@odata.type\":\"Edm.DateTime\",\"V\":\"yesterday\"}",
                "{\"V\":{\"nested\":1}}",
                "{\"V\":[1]}"
            })
    void refusesWhatDoesNotFit(String json) {
        assertThatThrownBy(() -> read(json))
                .isInstanceOf(PropertyConversionException.class)
                .hasMessageContaining("property V");
    }

    @Test
    void requestsTheTypes() {
        assertThat(codec.metadataLevel()).isEqualTo(MetadataLevel.MINIMAL);
        assertThat(codec.select()).isNull();
        assertThat(new EntityObjectCodec(List.of("RowKey")).select()).containsExactly("RowKey");
    }

    @Test
    @DisplayName("MAP-2: doubles are annotated when they are written, whole ones too")
    void annotatesDoubles() {
        assertThat(new String(json(Entity.builder("p", "r").set("D", 5.0).build()), StandardCharsets.UTF_8))
                .isEqualTo("{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"D@odata.type\":\"Edm.Double\",\"D\":5.0}");
    }
}
