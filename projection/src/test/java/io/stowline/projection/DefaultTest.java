package io.stowline.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.projection.internal.scan.EntityReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DefaultTest {

    private static final String ID = "01234567-89ab-cdef-0123-456789abcdef";

    private record Numbers(
            @Default("true") boolean flag,
            @Default("-1") byte tiny,
            @Default("18") int age,
            @Default("9223372036854775807") long big,
            @Default("0.1") float ratio,
            @Default("NaN") double exact,
            @Default("7") Integer boxed) {}

    private record Others(
            @Default("none") String text,
            @Default("SUNDAY") DayOfWeek day,
            @Default("PT1H") Duration span,
            @Default("2024-02-29T12:30:00.1234567Z") Instant time,
            @Default(ID) UUID id,
            @Default("1.10") BigDecimal decimal,
            @Default("5") BigInteger integer,
            @Default("x") Optional<String> maybe) {}

    @SuppressWarnings("ArrayRecordComponent")
    private record Photo(@Default("AQI=") byte[] bytes, String text) {}

    private record Inner(String text, @Default("3") int count) {}

    private record Outer(@Nested Inner inner, boolean flag, double ratio) {}

    private static <T> T empty(Class<T> type) {
        return EntityType.of(type).newReader().build();
    }

    @Test
    void takesThePlaceOfAnAbsentProperty() {
        assertThat(empty(Numbers.class))
                .isEqualTo(new Numbers(true, (byte) -1, 18, Long.MAX_VALUE, 0.1f, Double.NaN, 7));
        assertThat(empty(Others.class))
                .isEqualTo(new Others(
                        "none",
                        DayOfWeek.SUNDAY,
                        Duration.ofHours(1),
                        Instant.parse("2024-02-29T12:30:00.1234567Z"),
                        UUID.fromString(ID),
                        new BigDecimal("1.10"),
                        BigInteger.valueOf(5),
                        Optional.of("x")));
    }

    @Test
    void givesEveryEntityItsOwnBytes() {
        byte[] first = empty(Photo.class).bytes;

        assertThat(first).containsExactly(1, 2);
        assertThat(empty(Photo.class).bytes).isEqualTo(first).isNotSameAs(first);
    }

    @Test
    void isForAbsentPropertiesOnlyAndNotKept() {
        EntityReader<Numbers> reader = EntityType.of(Numbers.class).newReader();
        reader.integer(2, 41);

        assertThat(reader.build().age).isEqualTo(41);
        assertThat(reader.build().age).isEqualTo(18);
        reader.integer(2, 41);
        reader.absent(2);
        assertThat(reader.build().age).isEqualTo(18);
    }

    @Test
    void aDefaultAloneMakesNoNestedValue() {
        EntityType<Outer> type =
                EntityType.of(Outer.class, Mapping.builder().zeroForMissing().build());
        EntityReader<Outer> reader = type.newReader();

        assertThat(reader.build()).isEqualTo(new Outer(null, false, 0));
        reader.text(0, "x");
        assertThat(reader.build()).isEqualTo(new Outer(new Inner("x", 3), false, 0));
    }

    private record Old(@Default("18") int age, long count, boolean flag, float ratio, Integer boxed) {}

    @Test
    @DisplayName("MAP-2: a missing primitive is refused by name, or zero if the mapping says so")
    void theMappingSaysWhatBecomesOfMissingPrimitives() {
        assertThatExceptionOfType(PropertyConversionException.class)
                .isThrownBy(() -> empty(Old.class))
                .withMessageContaining("property count is missing");

        EntityType<Old> lenient =
                EntityType.of(Old.class, Mapping.builder().zeroForMissing().build());
        EntityReader<Old> reader = lenient.newReader();
        reader.integer(1, 99);
        reader.bool(2, true);
        assertThat(reader.build()).isEqualTo(new Old(18, 99, true, 0, null));
        assertThat(reader.build()).isEqualTo(new Old(18, 0, false, 0, null));
    }

    @Test
    void aConvertedPrimitiveIsZeroToo() {
        record Hex(int value, @Default("ff") int marked) {}
        Mapping mapping = Mapping.builder()
                .convert(
                        int.class, Converter.of(String.class, Integer::toHexString, text -> Integer.parseInt(text, 16)))
                .zeroForMissing()
                .build();

        assertThat(EntityType.of(Hex.class, mapping).newReader().build()).isEqualTo(new Hex(0, 255));
        assertThat(mapping.zeroForMissing()).isTrue();
    }

    private record BadInt(@Default("18x") int bad) {}

    private record BadByte(@Default("300") byte bad) {}

    private record BadFlag(@Default("yes") boolean bad) {}

    private record BadDay(@Default("Sunday") DayOfWeek bad) {}

    private record BadReal(@Default("much") double bad) {}

    private record BadKey(@RowKey @Default("x") String bad) {}

    @ParameterizedTest
    @ValueSource(classes = {BadInt.class, BadByte.class, BadFlag.class, BadDay.class, BadReal.class, BadKey.class})
    void refusesATextOfAnotherTypeWhenTheTypeIsRegistered(Class<?> type) {
        assertThatExceptionOfType(UnmappableTypeException.class)
                .isThrownBy(() -> EntityType.of(type))
                .withMessageContaining("component bad")
                .withMessageMatching(".*(its default \".*\" is no |both @RowKey and @Default).*");
    }

    private record HugeDouble(@Default("1e400") double bad) {}

    private record TinyDouble(@Default("4.9e-400") double bad) {}

    private record HugeFloat(@Default("-1e39") float bad) {}

    private record TinyFloat(@Default("1e-50") Float bad) {}

    private record RoundedFloat(@Default("16777217") float bad) {}

    private record RoundedZeros(
            @Default("100000000000000000000000") double bad) {}

    private record RoundedDouble(
            @Default("9007199254740993") Optional<Double> bad) {}

    @ParameterizedTest
    @ValueSource(
            classes = {
                HugeDouble.class,
                TinyDouble.class,
                HugeFloat.class,
                TinyFloat.class,
                RoundedFloat.class,
                RoundedZeros.class,
                RoundedDouble.class
            })
    @DisplayName("MAP-2: a default that would be another number is refused")
    void refusesANumberThatItWouldNotBe(Class<?> type) {
        assertThatExceptionOfType(UnmappableTypeException.class)
                .isThrownBy(() -> EntityType.of(type))
                .withMessageContaining("component bad: its default ")
                .withMessageMatching(".*(it is too large|it is too small|the nearest one is .*)");
    }

    private record Exact(
            @Default("16777216") float even,
            @Default("1e23") double round,
            @Default("1.7976931348623157E308") double greatest,
            @Default("1152921504606846976") double power,
            @Default("-0.0") double zero,
            @Default("4.9e-324") double min,
            @Default("-Infinity") float endless) {}

    @Test
    void takesANumberThatJavaWritesSo() {
        assertThat(empty(Exact.class))
                .isEqualTo(new Exact(
                        16_777_216f,
                        Double.parseDouble("1e23"),
                        Double.MAX_VALUE,
                        0x1p60,
                        -0.0,
                        Double.MIN_VALUE,
                        Float.NEGATIVE_INFINITY));
    }
}
