package io.stowline.table.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.projection.ETag;
import io.stowline.projection.EntityType;
import io.stowline.projection.Nested;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.PropertyBag;
import io.stowline.projection.RowKey;
import io.stowline.projection.Timestamp;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.codec.RowReader.DecodedRow;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.Operations;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.table.internal.request.Texts;
import io.stowline.transport.internal.http.StorageResponse;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MappedCodecTest {

    record Address(String city, int number) {}

    record Order(
            @PartitionKey String customer,
            @RowKey String id,
            @ETag String version,
            @Timestamp Instant changed,
            @Nested Address address,
            BigDecimal total,
            @PropertyBag Map<String, Object> others) {}

    record Versioned(@RowKey String id, @ETag String version, int count) {}

    private final TypedCodec<Order> codec = new TypedCodec<>(EntityType.of(Order.class));
    private final TypedCodec<Versioned> versioned = new TypedCodec<>(EntityType.of(Versioned.class));

    private static String json(Order order, TypedCodec<Order> codec) {
        return new String(
                Operations.encoder()
                        .encode(EntityVerb.INSERT, order, codec, null)
                        .body(),
                StandardCharsets.UTF_8);
    }

    private static Order with(Map<String, Object> others) {
        return new Order("c", "1", null, null, null, null, others);
    }

    private static StorageResponse response(String json, HttpHeaders headers) {
        return new StorageResponse(200, headers, json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @DisplayName("MAP-2: nested values, exact numbers and left-over properties on the wire")
    void writesEverythingButTheEtagAndTheTimestamp() {
        Map<String, Object> others = new LinkedHashMap<>();
        others.put("Big", 5L);
        others.put("Small", (short) 5);
        Order order =
                new Order("c", "1", "W/\"1\"", Instant.EPOCH, new Address("Oslo", 3), new BigDecimal("12.50"), others);

        assertThat(json(order, codec))
                .isEqualTo("{\"PartitionKey\":\"c\",\"RowKey\":\"1\",\"address_city\":\"Oslo\",\"address_number\":3,"
                        + "\"total\":\"12.50\",\"Big@odata.type\":\"Edm.Int64\",\"Big\":\"5\",\"Small\":5}");
    }

    @Test
    @DisplayName("MAP-2: a value that uses the client while it is written spoils nothing of the entity around it")
    void encodingIsReentrant() {
        Map<String, Object> using = new AbstractMap<>() {
            @Override
            public Set<Entry<String, Object>> entrySet() {
                String nested = json(with(Map.of("Inner", "x".repeat(2_000))), codec);
                String url = Operations.encoder().url("other", "row");
                return Set.of(Map.entry("Lengths", nested.length() + url.length()));
            }
        };
        String around = json(with(using), codec);

        assertThat(around)
                .startsWith("{\"PartitionKey\":\"c\",\"RowKey\":\"1\",\"Lengths\":")
                .endsWith("}");
        assertThat(around).hasSizeLessThan(100);
        assertThat(json(with(using), codec)).isEqualTo(around);
    }

    @Test
    @DisplayName("MAP-2: an encoding that fails in the middle spoils none that follows")
    void aFailedEncodingSpoilsNothing() {
        Map<String, Object> failing = new AbstractMap<>() {
            @Override
            public Set<Entry<String, Object>> entrySet() {
                throw new IllegalStateException("converter");
            }
        };
        String before = json(with(Map.of("A", 1)), codec);
        assertThatIllegalStateException().isThrownBy(() -> json(with(failing), codec));

        assertThat(json(with(Map.of("A", 1)), codec)).isEqualTo(before);
    }

    @Test
    void requestsNoMoreThanItNeeds() {
        assertThat(codec.select()).isNull();
        assertThat(codec.metadataLevel()).isEqualTo(MetadataLevel.MINIMAL);
        assertThat(codec.listLevel()).isEqualTo(MetadataLevel.FULL);
        assertThat(versioned.select()).containsExactly("RowKey", "count");
        assertThat(versioned.metadataLevel()).isEqualTo(MetadataLevel.NONE);
        assertThat(versioned.listLevel()).isEqualTo(MetadataLevel.FULL);
    }

    @Test
    @DisplayName(
            "MAP-2: properties that no component takes come by their types, without the write mark and odata's own")
    void fillsTheBagByTheTypesThatAreSent() {
        String json = "{\"odata.metadata\":\"m\",\"odata.etag\":\"W/\\\"body\\\"\",\"odata.id\":\"x\","
                + "\"PartitionKey\":\"c\",\"RowKey\":\"1\",\"Timestamp@odata.type\":\"Edm.DateTime\","
                + "\"Timestamp\":\"2024-02-29T12:00:00Z\",\"address_city\":\"Oslo\",\"address_number\":3,"
                + "\"total@odata.type\":\"Edm.Double\",\"total\":12.5,\"Id@odata.type\":\"Edm.Guid\","
                + "\"Id\":\"01234567-89ab-cdef-0123-456789abcdef\",\"Count\":7,\"Gone\":null,"
                + "\"StowlineWrite\":\"mark\",\"Late\":\"9\",\"Late@odata.type\":\"Edm.Int64\"}";

        DecodedRow<Order> row = RowDecoder.row(response(json, new HttpHeaders()), codec);

        assertThat(row.value().address()).isEqualTo(new Address("Oslo", 3));
        assertThat(row.value().total()).isEqualByComparingTo("12.5");
        assertThat(row.value().version()).isEqualTo("W/\"body\"");
        assertThat(row.value().changed()).isEqualTo("2024-02-29T12:00:00Z");
        assertThat(row.value().others())
                .isEqualTo(
                        Map.of("Id", UUID.fromString("01234567-89ab-cdef-0123-456789abcdef"), "Count", 7, "Late", 9L));
    }

    @Test
    @DisplayName("MAP-1: the ETag of a point read is that of the header")
    void takesTheHeadersEtag() {
        HttpHeaders headers = new HttpHeaders().set(HttpHeaderName.ETAG, "W/\"header\"");

        DecodedRow<Versioned> row = RowDecoder.row(response("{\"RowKey\":\"1\",\"count\":2}", headers), versioned);

        assertThat(row.value()).isEqualTo(new Versioned("1", "W/\"header\"", 2));
        assertThat(row.etag()).isEqualTo("W/\"header\"");
    }

    @Test
    void oneRowsEtagAndBagAreNotTheNextOnes() {
        String list = "{\"value\":[{\"odata.etag\":\"e1\",\"RowKey\":\"1\",\"A\":1},{\"RowKey\":\"2\"}]}";

        List<Order> orders = RowDecoder.values(new QueryPage(response(list, new HttpHeaders()), null), codec.reader());

        assertThat(orders)
                .containsExactly(
                        new Order(null, "1", "e1", null, null, null, Map.of("A", 1)),
                        new Order(null, "2", null, null, null, null, Map.of()));
    }

    @Provide
    static Arbitrary<Map<String, Object>> bags() {
        Arbitrary<Object> values = Arbitraries.oneOf(
                Texts.texts().asGeneric(),
                Arbitraries.longs().asGeneric(),
                Arbitraries.integers().asGeneric(),
                Arbitraries.oneOf(
                                Arbitraries.doubles(),
                                Arbitraries.of(
                                        Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 5.0))
                        .asGeneric(),
                Arbitraries.of(true, false).asGeneric(),
                Arbitraries.of("1601-01-01T00:00:00Z", "9999-12-31T23:59:59.9999999Z")
                        .map(Instant::parse)
                        .asGeneric(),
                Arbitraries.longs().map(low -> new UUID(5, low)).asGeneric());
        Arbitrary<String> names = Arbitraries.strings().alpha().ofLength(5).map(name -> "x" + name);
        return Arbitraries.maps(names, values).ofMaxSize(6);
    }

    @Property
    @Label("MAP-2: a property bag comes back as it was")
    void bringsBagsBack(@ForAll("bags") Map<String, Object> others) {
        Order back = RowDecoder.row(response(json(with(others), codec), new HttpHeaders()), codec)
                .value();

        assertThat(back).isEqualTo(with(others));
    }

    @Property(tries = 50)
    @Label("MAP-2: strings of 64 KiB come back as they were")
    void bringsTheLargestStringsBack(@ForAll("largest") String text) {
        Order back = RowDecoder.row(response(json(with(Map.of("text", text)), codec), new HttpHeaders()), codec)
                .value();

        assertThat(back.others()).containsEntry("text", text);
    }

    @Provide
    static Arbitrary<String> largest() {
        return Texts.texts()
                .filter(text -> !text.isEmpty())
                .map(text -> text.repeat(32_768 / text.length()))
                .map(text -> text + "x".repeat(32_768 - text.length()));
    }

    @Test
    @DisplayName("MAP-3: a bag with which the entity has more than 252 properties is refused")
    void refusesTooManyProperties() {
        Map<String, Object> max = IntStream.range(0, 250).boxed().collect(Collectors.toMap(i -> "p" + i, i -> i));
        Order fits = new Order("c", "1", null, null, new Address("Oslo", 3), null, max);
        Order one = new Order("c", "1", null, null, new Address("Oslo", 3), BigDecimal.ONE, max);

        assertThat(json(fits, codec)).contains("p249");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> json(one, codec))
                .withMessageContaining("253 properties; the limit is 252");
    }
}
