package io.stowline.table.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.error.ProtocolException;
import io.stowline.projection.EntityType;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.PropertyBag;
import io.stowline.projection.PropertyConversionException;
import io.stowline.projection.RowKey;
import io.stowline.projection.Timestamp;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.codec.RowReader.DecodedRow;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.Operations;
import io.stowline.table.internal.request.Texts;
import io.stowline.transport.internal.http.StorageResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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

class TypedCodecTest {

    enum Colour {
        RED,
        GREEN
    }

    @SuppressWarnings("ArrayRecordComponent") // binary properties are arrays
    record Everything(
            @PartitionKey String partition,
            @RowKey String row,
            String text,
            boolean flag,
            int whole,
            long large,
            double real,
            Instant time,
            UUID id,
            byte[] bytes,
            Colour colour,
            Duration span,
            Optional<String> maybe,
            @io.stowline.projection.Property("Renamed") Integer boxed) {}

    record Stamped(@RowKey String row, @Timestamp Instant written) {}

    private final TypedCodec<Everything> codec = new TypedCodec<>(EntityType.of(Everything.class));

    @Provide
    static Arbitrary<String> keys() {
        return Texts.keys();
    }

    @Provide
    static Arbitrary<String> texts() {
        return Texts.texts();
    }

    private static <T> DecodedRow<T> read(TypedCodec<T> codec, String json) {
        return RowDecoder.row(
                new StorageResponse(200, new HttpHeaders(), json.getBytes(StandardCharsets.UTF_8)), codec);
    }

    private Everything roundTrip(Everything value) {
        byte[] json = Operations.encoder()
                .encode(EntityVerb.INSERT, value, codec, null)
                .body();
        return RowDecoder.row(new StorageResponse(200, new HttpHeaders(), json), codec)
                .value();
    }

    private static Everything sample(long large, double real, Instant time, String text) {
        return new Everything(
                "p",
                "r",
                text,
                true,
                -7,
                large,
                real,
                time,
                new UUID(large, 5),
                new byte[] {0, -1, 2},
                Colour.GREEN,
                Duration.ofMillis(1_500),
                Optional.of(text),
                null);
    }

    @Property
    @Label("MAP-2: every component comes back as it was")
    void roundTrips(
            @ForAll("keys") String partition,
            @ForAll("keys") String row,
            @ForAll("texts") String text,
            @ForAll boolean flag,
            @ForAll int whole,
            @ForAll long large,
            @ForAll double real,
            @ForAll byte[] bytes,
            @ForAll Colour colour) {
        Instant time =
                Instant.ofEpochSecond(Math.floorMod(large, 200_000_000_000L), Math.floorMod(large, 10_000_000) * 100L);
        Everything value = new Everything(
                partition,
                row,
                text,
                flag,
                whole,
                large,
                real,
                time,
                new UUID(large, whole),
                bytes,
                colour,
                Duration.ofNanos(large),
                Optional.of(text),
                whole);

        assertThat(roundTrip(value)).usingRecursiveComparison().isEqualTo(value);
    }

    @ParameterizedTest
    @DisplayName("MAP-2: the extremes of Int64 come back")
    @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE, 9_007_199_254_740_993L, 0})
    void int64Extremes(long large) {
        assertThat(roundTrip(sample(large, 1, Instant.EPOCH, "")).large()).isEqualTo(large);
    }

    @ParameterizedTest
    @DisplayName("MAP-2: the odd doubles come back")
    @ValueSource(
            doubles = {
                Double.NaN,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY,
                -0.0,
                5,
                Double.MIN_VALUE,
                Double.MAX_VALUE
            })
    void oddDoubles(double real) {
        assertThat(Double.valueOf(roundTrip(sample(1, real, Instant.EPOCH, "")).real()))
                .isEqualTo(Double.valueOf(real));
    }

    @ParameterizedTest
    @DisplayName("MAP-2: times keep 100 ns, from the year 1601 to 9999")
    @ValueSource(strings = {"1601-01-01T00:00:00Z", "2024-02-29T12:00:00.1234567Z", "9999-12-31T23:59:59.9999999Z"})
    void times(Instant time) {
        assertThat(roundTrip(sample(1, 1, time, "")).time()).isEqualTo(time);
    }

    @Test
    @DisplayName("MAP-2: an absent component is not written, so that a merge leaves it unchanged")
    void absentIsNotWritten() {
        Everything value =
                new Everything("p", "r", null, false, 0, 0, 0, null, null, null, null, null, Optional.empty(), null);
        String json = new String(
                Operations.encoder().encode(EntityVerb.MERGE, value, codec, "*").body(), StandardCharsets.UTF_8);

        assertThat(json).doesNotContain("text", "time", "maybe", "Renamed", "null");
        assertThat(roundTrip(value)).usingRecursiveComparison().isEqualTo(value);
    }

    @Test
    @DisplayName("MAP-2: a type with text asks for the types of what travels as text, another one for none")
    void selectsItsOwnProperties() {
        assertThat(codec.select())
                .contains("PartitionKey", "RowKey", "text", "Renamed")
                .doesNotContain("boxed");
        assertThat(codec.metadataLevel()).isEqualTo(MetadataLevel.MINIMAL);
        assertThat(new TypedCodec<>(EntityType.of(Numbers.class)).metadataLevel())
                .isEqualTo(MetadataLevel.NONE);
    }

    record Noted(@RowKey String row, String note) {}

    @ParameterizedTest
    @DisplayName("MAP-2: a component of text takes no stored number, GUID or time in silence")
    @CsvSource({"Edm.Int64, 5", "Edm.Guid, 6b0a5a3e-0000-4000-8000-000000000001", "Edm.DateTime, 2024-02-29T12:00:00Z"})
    void textTakesTextOnly(String type, String value) {
        TypedCodec<Noted> noted = new TypedCodec<>(EntityType.of(Noted.class));

        assertThatThrownBy(() -> read(
                        noted, "{\"RowKey\":\"r\",\"note@odata.type\":\"" + type + "\",\"note\":\"" + value + "\"}"))
                .isInstanceOf(PropertyConversionException.class)
                .hasMessageContaining("property note")
                .hasMessageContaining(type);
        assertThat(read(noted, "{\"RowKey\":\"r\",\"note@odata.type\":\"Edm.String\",\"note\":\"5\"}")
                        .value())
                .isEqualTo(new Noted("r", "5"));
    }

    @ParameterizedTest
    @DisplayName("MAP-2: a type that the library does not know is refused by its name, and is no text")
    @ValueSource(
            strings = {
                "{\"RowKey\":\"r\",\"note@odata.type\":\"Edm.Nonsense\",\"note\":\"5\"}",
                "{\"RowKey\":\"r\",\"note\":\"5\",\"note@odata.type\":\"Edm.Nonsense\"}"
            })
    void unknownTypesAreNoText(String row) {
        assertThatThrownBy(() -> read(new TypedCodec<>(EntityType.of(Noted.class)), row))
                .isInstanceOf(PropertyConversionException.class)
                .hasMessageContaining("property note")
                .hasMessageContaining("Edm.Nonsense");
        assertThatThrownBy(() -> read(new TypedCodec<>(EntityType.of(Bagged.class)), row))
                .isInstanceOf(PropertyConversionException.class)
                .hasMessageContaining("property note")
                .hasMessageContaining("Edm.Nonsense");
    }

    record Bagged(@RowKey String row, @PropertyBag Map<String, Object> rest) {}

    @Test
    @DisplayName("MAP-2: minus zero keeps its sign, and a number beyond a double is no infinity")
    void edgesOfNumbers() {
        TypedCodec<Numbers> numbers = new TypedCodec<>(EntityType.of(Numbers.class));

        assertThat(read(numbers, "{\"RowKey\":\"r\",\"whole\":-0,\"large\":-0,\"real\":-0}")
                        .value())
                .isEqualTo(new Numbers("r", 0, 0, -0.0));
        assertThatThrownBy(() -> read(numbers, "{\"RowKey\":\"r\",\"whole\":1,\"large\":1,\"real\":1e400}"))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("1e400");
    }

    @Test
    @DisplayName("RETRY-7: what follows the row is no part of a response")
    void nothingFollows() {
        TypedCodec<Numbers> numbers = new TypedCodec<>(EntityType.of(Numbers.class));

        assertThatThrownBy(() -> read(numbers, "{\"RowKey\":\"r\",\"whole\":1,\"large\":1,\"real\":1} x"))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("the end");
    }

    @Test
    @DisplayName("MAP-2: null, unknown properties and everything of odata are skipped, whatever they hold")
    void skipsWhatItDoesNotKnow() {
        DecodedRow<Stamped> row = read(
                new TypedCodec<>(EntityType.of(Stamped.class)),
                "{\"odata.metadata\":\"x\",\"odata.etag\":\"W/\\\"1\\\"\",\"odata.links\":[{\"a\":[1]}],\"PartitionKey\":\"p\","
                        + "\"unknown\":null,\"other\":5,\"third\":true,\"fourth@odata.type\":\"Edm.Guid\",\"fourth\":\"x\","
                        + "\"Timestamp\":\"2024-02-29T12:00:00.1234567Z\",\"RowKey\":\"r\"}");

        assertThat(row.value()).isEqualTo(new Stamped("r", Instant.parse("2024-02-29T12:00:00.1234567Z")));
        assertThat(row.etag()).isEqualTo("W/\"1\"");
        assertThat(row.timestamp()).isEqualTo(Instant.parse("2024-02-29T12:00:00.1234567Z"));
    }

    record Numbers(@RowKey String row, int whole, long large, double real) {}

    @Test
    @DisplayName("MAP-2: what other SDKs wrote is read: whole doubles, Int64 as text, numbers in text")
    void readsOtherSdks() {
        TypedCodec<Numbers> numbers = new TypedCodec<>(EntityType.of(Numbers.class));

        assertThat(read(numbers, "{\"RowKey\":\"r\",\"whole\":\"7\",\"large\":9,\"real\":5}")
                        .value())
                .isEqualTo(new Numbers("r", 7, 9, 5.0));
        assertThat(read(numbers, "{\"RowKey\":\"r\",\"whole\":7.0,\"large\":\"-9\",\"real\":\"NaN\"}")
                        .value())
                .isEqualTo(new Numbers("r", 7, -9, Double.NaN));
        assertThat(read(
                                numbers,
                                "{\"real@odata.type\":\"Edm.Double\",\"real\":1e2,\"large\":1,\"whole\":2,\"RowKey\":\"r\"}")
                        .value())
                .isEqualTo(new Numbers("r", 2, 1, 100.0));
    }

    @Test
    @DisplayName("MAP-2: a value that does not fit is refused and names its property")
    void refusesWhatDoesNotFit() {
        TypedCodec<Numbers> numbers = new TypedCodec<>(EntityType.of(Numbers.class));

        assertThatThrownBy(() -> read(numbers, "{\"RowKey\":\"r\",\"whole\":3000000000,\"large\":1,\"real\":1}"))
                .isInstanceOf(PropertyConversionException.class)
                .hasMessageContaining("whole");
        assertThatThrownBy(() -> read(numbers, "{\"RowKey\":\"r\",\"large\":1,\"real\":1}"))
                .isInstanceOf(PropertyConversionException.class)
                .hasMessageContaining("whole");
    }

    @Test
    void headersEtagGoesBeforeTheBodys() {
        HttpHeaders headers = new HttpHeaders().set(HttpHeaderName.ETAG, "W/\"header\"");
        String json = "{\"odata.etag\":\"W/\\\"body\\\"\",\"RowKey\":\"r\"}";

        DecodedRow<Stamped> row = RowDecoder.row(
                new StorageResponse(200, headers, json.getBytes(StandardCharsets.UTF_8)),
                new TypedCodec<>(EntityType.of(Stamped.class)));

        assertThat(row.etag()).isEqualTo("W/\"header\"");
        assertThat(row.timestamp()).isNull();
    }
}
