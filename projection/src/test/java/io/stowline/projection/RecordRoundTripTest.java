package io.stowline.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.projection.internal.scan.EntityReader;
import io.stowline.projection.internal.scan.RecordedProperties;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RecordRoundTripTest {

    private record Primitives(
            @PartitionKey String partition,
            boolean flag,
            byte tiny,
            short small,
            int number,
            long big,
            float ratio,
            double exact,
            @RowKey String row) {}

    private record Boxed(Boolean flag, Byte tiny, Short small, Integer number, Long big, Float ratio, Double exact) {}

    private record References(
            String text, Instant time, OffsetDateTime offsetTime, UUID id, TimeUnit unit, Duration duration) {}

    private record Optionals(
            Optional<String> text,
            Optional<Boolean> flag,
            Optional<Integer> number,
            Optional<Long> big,
            Optional<Double> exact,
            Optional<Instant> time,
            Optional<UUID> id,
            Optional<TimeUnit> unit,
            Optional<Duration> duration) {}

    @SuppressWarnings("ArrayRecordComponent")
    private record Bytes(byte[] plain, Optional<byte[]> optional) {}

    /** One reader for all tries of a property, so that a value that leaks from one record to the next is found. */
    private final EntityReader<Boxed> boxedReader = EntityType.of(Boxed.class).newReader();

    private final EntityReader<References> referencesReader =
            EntityType.of(References.class).newReader();

    private final EntityReader<Optionals> optionalsReader =
            EntityType.of(Optionals.class).newReader();

    @Provide
    Arbitrary<Primitives> primitives() {
        return boxedValues(0)
                .map(boxed -> new Primitives(
                        "p",
                        boxed.flag,
                        boxed.tiny,
                        boxed.small,
                        boxed.number,
                        boxed.big,
                        boxed.ratio,
                        boxed.exact,
                        "r"));
    }

    @Provide
    Arbitrary<Boxed> boxed() {
        return boxedValues(0.3);
    }

    private static Arbitrary<Boxed> boxedValues(double nulls) {
        return Combinators.combine(
                        Arbitraries.of(true, false).injectNull(nulls),
                        Arbitraries.bytes().injectNull(nulls),
                        Arbitraries.shorts().injectNull(nulls),
                        Arbitraries.integers().injectNull(nulls),
                        Arbitraries.longs().injectNull(nulls),
                        floats().injectNull(nulls),
                        doubles().injectNull(nulls))
                .as(Boxed::new);
    }

    private static Arbitrary<Float> floats() {
        return Arbitraries.oneOf(
                Arbitraries.floats(),
                Arbitraries.of(
                        Float.NaN,
                        Float.POSITIVE_INFINITY,
                        Float.NEGATIVE_INFINITY,
                        Float.MIN_VALUE,
                        Float.MAX_VALUE,
                        -0f,
                        0.1f));
    }

    private static Arbitrary<Double> doubles() {
        return Arbitraries.oneOf(
                Arbitraries.doubles(),
                Arbitraries.of(
                        Double.NaN,
                        Double.POSITIVE_INFINITY,
                        Double.NEGATIVE_INFINITY,
                        Double.MIN_VALUE,
                        Double.MAX_VALUE,
                        -0d,
                        0.1d));
    }

    private static Arbitrary<Instant> times() {
        return Combinators.combine(
                        Arbitraries.longs().between(-11_644_473_600L, 253_402_300_799L),
                        Arbitraries.integers().between(0, 9_999_999))
                .as((second, tick) -> Instant.ofEpochSecond(second, tick * 100L));
    }

    private static Arbitrary<Duration> durations() {
        return Combinators.combine(Arbitraries.longs(), Arbitraries.integers().between(0, 999_999_999))
                .as(Duration::ofSeconds);
    }

    private static Arbitrary<UUID> ids() {
        return Combinators.combine(Arbitraries.longs(), Arbitraries.longs()).as(UUID::new);
    }

    @Provide
    Arbitrary<References> references() {
        return Combinators.combine(
                        Arbitraries.strings().injectNull(0.3),
                        times().injectNull(0.3),
                        times().map(time -> time.atOffset(ZoneOffset.UTC)).injectNull(0.3),
                        ids().injectNull(0.3),
                        Arbitraries.of(TimeUnit.class).injectNull(0.3),
                        durations().injectNull(0.3))
                .as(References::new);
    }

    @Provide
    Arbitrary<Optionals> optionals() {
        return Combinators.combine(references(), boxed())
                .as((references, boxed) -> new Optionals(
                        Optional.ofNullable(references.text),
                        Optional.ofNullable(boxed.flag),
                        Optional.ofNullable(boxed.number),
                        Optional.ofNullable(boxed.big),
                        Optional.ofNullable(boxed.exact),
                        Optional.ofNullable(references.time),
                        Optional.ofNullable(references.id),
                        Optional.ofNullable(references.unit),
                        Optional.ofNullable(references.duration)));
    }

    private static <T> T roundTrip(T value, Class<T> type, EntityReader<T> reader) {
        RecordedProperties.of(value, type).playTo(reader);
        return reader.build();
    }

    @Property
    @Label("MAP-2: primitives come back as they were")
    void bringsPrimitivesBack(@ForAll("primitives") Primitives value) {
        EntityReader<Primitives> reader = EntityType.of(Primitives.class).newReader();
        reader.partitionKey(value.partition);
        reader.rowKey(value.row);

        assertThat(roundTrip(value, Primitives.class, reader)).isEqualTo(value);
    }

    @Property
    @Label("MAP-2: boxed numbers come back as they were, null too")
    void bringsBoxedNumbersBack(@ForAll("boxed") Boxed value) {
        assertThat(roundTrip(value, Boxed.class, boxedReader)).isEqualTo(value);
    }

    @Property
    @Label("MAP-2: text, times, UUIDs, enums and durations come back as they were, null too")
    void bringsReferencesBack(@ForAll("references") References value) {
        assertThat(roundTrip(value, References.class, referencesReader)).isEqualTo(value);
    }

    @Property
    @Label("MAP-2: optional values come back as they were, empty too")
    void bringsOptionalsBack(@ForAll("optionals") Optionals value) {
        assertThat(roundTrip(value, Optionals.class, optionalsReader)).isEqualTo(value);
    }

    @Property
    @Label("MAP-2: bytes come back as they were")
    void bringsBytesBack(@ForAll byte[] bytes) {
        Bytes back = roundTrip(
                new Bytes(bytes, Optional.of(bytes)),
                Bytes.class,
                EntityType.of(Bytes.class).newReader());

        assertThat(back.plain).isEqualTo(bytes);
        assertThat(back.optional)
                .hasValueSatisfying(optional -> assertThat(optional).isEqualTo(bytes));
    }

    @Property
    @Label("MAP-2: a row shows nothing of the row before it")
    void leaksNothingBetweenRows(@ForAll List<@From("boxed") Boxed> values) {
        EntityReader<Boxed> reader = EntityType.of(Boxed.class).newReader();

        assertThat(values).allSatisfy(value -> assertThat(roundTrip(value, Boxed.class, reader))
                .isEqualTo(value));
    }
}
