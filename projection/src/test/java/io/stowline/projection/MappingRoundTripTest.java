package io.stowline.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.projection.internal.scan.EntityReader;
import io.stowline.projection.internal.scan.RecordedProperties;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class MappingRoundTripTest {

    private record Deep(LocalDate day, boolean flag) {}

    private record Inner(String text, @Nested Optional<Deep> deep, long number) {}

    private record Outer(
            BigDecimal exact,
            Optional<BigInteger> big,
            @Nested Inner one,
            @Nested(separator = "") Optional<Inner> two,
            Optional<LocalDate> day,
            @PropertyBag Map<String, Object> others) {}

    private final EntityType<Outer> type = EntityType.of(
            Outer.class,
            Mapping.builder()
                    .convert(LocalDate.class, Converter.of(Long.class, LocalDate::toEpochDay, LocalDate::ofEpochDay))
                    .build());

    /** One reader for all tries, so that a value that leaks from one row to the next is found. */
    private final EntityReader<Outer> reader = type.newReader();

    private static Arbitrary<LocalDate> days() {
        return Arbitraries.longs().between(-100_000, 100_000).map(LocalDate::ofEpochDay);
    }

    private static Arbitrary<Inner> inners() {
        Arbitrary<Deep> deeps = Combinators.combine(days().injectNull(0.3), Arbitraries.of(true, false))
                .as(Deep::new);
        return Combinators.combine(Arbitraries.strings().injectNull(0.3), deeps.optional(), Arbitraries.longs())
                .as(Inner::new);
    }

    private static Arbitrary<Map<String, Object>> bags() {
        Arbitrary<Object> values = Arbitraries.oneOf(
                Arbitraries.strings().asGeneric(),
                Arbitraries.longs().asGeneric(),
                Arbitraries.integers().asGeneric(),
                Arbitraries.doubles().asGeneric(),
                Arbitraries.of(true, false).asGeneric());
        return Arbitraries.maps(
                        Arbitraries.strings()
                                .withCharRange('a', 'z')
                                .ofMinLength(1)
                                .ofMaxLength(6)
                                .map(name -> "x" + name),
                        values)
                .ofMaxSize(4);
    }

    @Provide
    Arbitrary<Outer> outers() {
        return Combinators.combine(
                        Arbitraries.bigDecimals().ofScale(9).injectNull(0.3),
                        Arbitraries.bigIntegers().optional(),
                        inners().injectNull(0.3),
                        inners().optional(),
                        days().optional(),
                        bags())
                .as(Outer::new);
    }

    @Property
    @Label("MAP-2: nested, optional, converted and left-over values come back as they were, together")
    void bringsCombinationsBack(@ForAll("outers") Outer value) {
        RecordedProperties.of(value, type).playTo(reader);

        assertThat(reader.build()).isEqualTo(value);
    }

    private record Exact(BigDecimal decimal, BigInteger integer) {}

    @Property
    @Label("MAP-2: a BigDecimal keeps its scale, a BigInteger all its digits")
    void keepsExactNumbers(@ForAll BigInteger unscaled, @ForAll int scale) {
        BigDecimal decimal = new BigDecimal(unscaled, scale);
        Exact value = new Exact(decimal, unscaled);
        if (Math.abs(decimal.precision() - 1L - scale) > Integer.MAX_VALUE) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RecordedProperties.of(value, Exact.class))
                    .withMessageContaining("decimal: a BigDecimal of exponent");
            return;
        }
        EntityReader<Exact> exact = EntityType.of(Exact.class).newReader();
        RecordedProperties.of(value, Exact.class).playTo(exact);

        assertThat(exact.build()).isEqualTo(value);
    }

    @Property
    @Label("MAP-2: exact numbers are read from what other types stored, without loss")
    void readsNumbersOfOtherTypes(@ForAll long whole, @ForAll double real) {
        EntityReader<Exact> exact = EntityType.of(Exact.class).newReader();
        exact.floating(0, real);
        exact.integer(1, whole);
        Exact read = exact.build();

        assertThat(read.decimal.doubleValue()).isEqualTo(real == 0 ? 0.0 : real);
        assertThat(read.integer).isEqualTo(BigInteger.valueOf(whole));
    }
}
