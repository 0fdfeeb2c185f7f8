package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpHeaders;
import io.stowline.error.ProtocolException;
import io.stowline.projection.EntityType;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.table.internal.codec.EntityObjectCodec;
import io.stowline.table.internal.codec.TypedCodec;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.transport.internal.http.StorageResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One value that cannot be read, for readers of types and of entities. */
class UnreadableValuesTest {

    record Reading(@PartitionKey String partition, @RowKey String row, double value) {}

    private static final TypedCodec<Reading> READINGS = new TypedCodec<>(EntityType.of(Reading.class));

    private static final EntityObjectCodec ENTITIES = new EntityObjectCodec(null);

    private static StorageResponse response(String json) {
        return new StorageResponse(200, new HttpHeaders(), json.getBytes(StandardCharsets.UTF_8));
    }

    private static String reading(String row, String value) {
        return "{\"PartitionKey\":\"p\",\"RowKey\":\"" + row + "\",\"value@odata.type\":\"Edm.Double\",\"value\":"
                + value + "}";
    }

    private static QueryPage page(String value) {
        return new QueryPage(
                response("{\"value\":[" + reading("a", "1.5") + "," + reading("b", value) + "," + reading("c", "2.5")
                        + "]}"),
                null);
    }

    @ParameterizedTest
    @CsvSource({
        "'\"INF\"', Infinity",
        "'\"-INF\"', -Infinity",
        "'\"Infinity\"', Infinity",
        "'\"-Infinity\"', -Infinity",
        "'\"NaN\"', NaN",
        "'\"100.0\"', 100",
        "'\"-1.5e3\"', -1500",
        "100.0, 100",
        "7, 7",
        "1E-3, 0.001"
    })
    @DisplayName("MAP-2 WORLD-3: the readers of types and of entities read a double by one rule")
    void readsDoublesByOneRule(String json, double value) {
        assertThat(RowDecoder.values("t", page(json), READINGS, null).get(1).value())
                .isEqualTo(Double.valueOf(value));
        assertThat(RowDecoder.values("t", page(json), ENTITIES, null).get(1).get("value"))
                .isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NaN",
                "Infinity",
                "-Infinity",
                "INF",
                "-INF",
                "+1",
                "01",
                "1.",
                ".5",
                "1e",
                "1e999",
                "-",
                "tru",
                "\"1e999\"",
                "\"\"",
                "\" 1\"",
                "\"1 \"",
                "\"1d\"",
                "\"0x1p3\"",
                "\"+Infinity\"",
                "\"infinity\"",
                "\"one\"",
                "{\"a\":[1]}",
                "[1]"
            })
    @DisplayName("WORLD-2: a value that cannot be read costs its row, whatever reads it")
    void oneValueCostsItsRow(String json) {
        List<String> skipped = new ArrayList<>();
        assertThat(RowDecoder.values("t", page(json), READINGS, e -> skipped.add(e.rowKey())))
                .extracting(Reading::row)
                .containsExactly("a", "c");
        assertThat(RowDecoder.values("t", page(json), ENTITIES, e -> skipped.add(e.rowKey())))
                .extracting(Entity::rowKey)
                .containsExactly("a", "c");
        assertThat(skipped).containsExactly("b", "b");
        assertThatThrownBy(() -> RowDecoder.values("t", page(json), READINGS, null))
                .isInstanceOf(UnreadableEntityException.class)
                .hasMessageContaining("(p, b) of table t");
        assertThatThrownBy(() -> RowDecoder.row("t", response(reading("b", json)), ENTITIES))
                .isInstanceOf(UnreadableEntityException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"v@odata.type\":\"Edm.Boolean\",\"v\":\"yes\"",
                "\"v@odata.type\":\"Edm.Guid\",\"v\":\"1-1-1-1-1\"",
                "\"v@odata.type\":\"Edm.Int32\",\"v\":\"3000000000\"",
                "\"v@odata.type\":\"Edm.DateTime\",\"v\":\"yesterday\"",
                "\"v@odata.type\":\"Edm.Binary\",\"v\":\"~\"",
                "\"v\":{\"a\":1}",
                "\"Timestamp\":\"yesterday\""
            })
    @DisplayName("WORLD-3: a value that is none of its type is never turned into another one, and costs its row")
    void valuesThatAreNoneOfTheirType(String json) {
        List<String> skipped = new ArrayList<>();
        QueryPage page = new QueryPage(
                response("{\"value\":[{\"PartitionKey\":\"p\",\"RowKey\":\"b\"," + json + "}," + reading("c", "1.5")
                        + "]}"),
                null);
        assertThat(RowDecoder.values("t", page, ENTITIES, e -> skipped.add(e.rowKey())))
                .extracting(Entity::rowKey)
                .containsExactly("c");
        assertThat(skipped).containsExactly("b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "1", "\"x", "{\"a\":NaN}", "1 2", "#"})
    @DisplayName("WORLD-4: a page whose rows have no end is no page, with a reader that skips rows, too")
    void brokenPages(String value) {
        String cut = reading("b", value);
        QueryPage page = new QueryPage(
                response("{\"value\":["
                        + (value.equals("NaN") || value.equals("1") ? cut.substring(0, cut.length() - 1) : cut)),
                null);
        assertThatThrownBy(() -> RowDecoder.values("t", page, READINGS, e -> {}))
                .isInstanceOf(ProtocolException.class);
    }
}
