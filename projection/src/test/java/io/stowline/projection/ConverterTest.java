package io.stowline.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.projection.filter.Filter;
import io.stowline.projection.internal.edm.EdmType;
import io.stowline.projection.internal.scan.EntityReader;
import io.stowline.projection.internal.scan.RecordedProperties;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConverterTest {

    private record Money(long cents, String currency) {}

    /** {@code 12.50 EUR}. */
    static final class MoneyText implements Converter<Money, String> {
        @Override
        public Class<String> storedType() {
            return String.class;
        }

        @Override
        public String store(Money value) {
            return value.cents + " " + value.currency;
        }

        @Override
        public Money restore(String stored) {
            int space = stored.indexOf(' ');
            return new Money(Long.parseLong(stored.substring(0, space)), stored.substring(space + 1));
        }
    }

    static final class Lines implements Converter<List<String>, String> {
        @Override
        public Class<String> storedType() {
            return String.class;
        }

        @Override
        public String store(List<String> value) {
            return String.join("\n", value);
        }

        @Override
        public List<String> restore(String stored) {
            return stored.lines().toList();
        }
    }

    private record Marked(
            @Converted(MoneyText.class) Money total,
            @Converted(MoneyText.class) Optional<Money> tip,
            @Converted(Lines.class) @Property("Notes") List<String> notes) {}

    private record Inner(Money price) {}

    private record Plain(
            Money total, Optional<Money> tip, @Nested Inner inner, LocalDate day, int hidden, String id) {}

    private static final Mapping MAPPING = Mapping.builder()
            .convert(Money.class, new MoneyText())
            .convert(LocalDate.class, Converter.of(Long.class, LocalDate::toEpochDay, LocalDate::ofEpochDay))
            .convert(
                    Integer.class, Converter.of(String.class, Integer::toHexString, text -> Integer.parseInt(text, 16)))
            .build();

    private final EntityType<Plain> plain = EntityType.of(Plain.class, MAPPING);

    private static <T> T roundTrip(EntityType<T> type, T value) {
        EntityReader<T> reader = type.newReader();
        RecordedProperties.of(value, type).playTo(reader);
        return reader.build();
    }

    @Test
    @DisplayName("MAP-2: a component with a converter is stored by it and comes back as it was")
    void convertsMarkedComponents() {
        EntityType<Marked> type = EntityType.of(Marked.class);
        Marked value = new Marked(new Money(1250, "EUR"), Optional.of(new Money(5, "EUR")), List.of("a", "b"));

        assertThat(RecordedProperties.named(value, type))
                .isEqualTo(Map.of("total", "1250 EUR", "tip", "5 EUR", "Notes", "a\nb"));
        assertThat(roundTrip(type, value)).isEqualTo(value);
        assertThat(roundTrip(type, new Marked(null, Optional.empty(), null)))
                .isEqualTo(new Marked(null, Optional.empty(), null));
    }

    @Test
    @DisplayName("MAP-2: a converter of the mapping serves every component of its type, nested, optional and primitive")
    void convertsByType() {
        Plain value = new Plain(
                new Money(1, "NOK"), Optional.empty(), new Inner(new Money(2, "SEK")), LocalDate.EPOCH, 255, "same");

        assertThat(RecordedProperties.named(value, plain))
                .isEqualTo(Map.of("total", "1 NOK", "inner_price", "2 SEK", "day", 0L, "hidden", "ff", "id", "same"));
        assertThat(roundTrip(plain, value)).isEqualTo(value);
        assertThat(plain.properties().get(plain.indexOf("hidden")).type()).isEqualTo(EdmType.STRING);
    }

    @Test
    void aPrimitiveNeedsItsConvertedProperty() {
        EntityReader<Plain> reader = plain.newReader();

        assertThatExceptionOfType(PropertyConversionException.class)
                .isThrownBy(reader::build)
                .withMessageContaining("property hidden is missing")
                .withMessageContaining("int (component hidden");
    }

    @Test
    void theMarkGoesBeforeTheMapping() {
        Mapping other = Mapping.builder()
                .convert(Money.class, Converter.of(Long.class, Money::cents, cents -> new Money(cents, "?")))
                .build();

        EntityType<Marked> type = EntityType.of(Marked.class, other);

        assertThat(type.properties().get(0).type()).isEqualTo(EdmType.STRING);
    }

    @Test
    void aFailureOnReadingNamesPropertyValueAndCause() {
        EntityReader<Plain> reader = plain.newReader();

        assertThatExceptionOfType(PropertyConversionException.class)
                .isThrownBy(() -> reader.text(0, "much EUR"))
                .withMessageContaining("property total: \"much EUR\" cannot be read as Money")
                .withCauseInstanceOf(NumberFormatException.class);
        assertThatExceptionOfType(PropertyConversionException.class)
                .isThrownBy(() -> reader.bool(plain.indexOf("day"), true))
                .withMessageContaining("property day: \"true\"");
    }

    private record One(Money bad) {}

    private static EntityType<One> with(Converter<Money, ?> converter) {
        return EntityType.of(
                One.class, Mapping.builder().convert(Money.class, converter).build());
    }

    private static final One VALUE = new One(new Money(1, "EUR"));

    @Test
    void aFailureOnWritingNamesTheProperty() {
        EntityType<One> failing = with(Converter.of(
                String.class,
                money -> {
                    throw new IllegalStateException("closed");
                },
                text -> new Money(1, text)));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordedProperties.of(VALUE, failing))
                .withMessageContaining("property bad: the converter between " + Money.class.getName())
                .withMessageContaining("closed")
                .withCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void nullFromAConverterIsRefused() {
        EntityType<One> nothing = with(Converter.of(String.class, money -> null, text -> null));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordedProperties.of(VALUE, nothing))
                .withMessageContaining("property bad")
                .withMessageContaining("stored null");
        assertThatExceptionOfType(PropertyConversionException.class)
                .isThrownBy(() -> nothing.newReader().text(0, "x"))
                .withMessageContaining("property bad: \"x\"")
                .withStackTraceContaining("restored null");
    }

    @Test
    void anotherClassThanWasSaidIsRefused() {
        @SuppressWarnings({"unchecked", "rawtypes"})
        Converter<Money, Object> liar =
                (Converter<Money, Object>) (Converter) Converter.of(Long.class, money -> (Long) 1L, cents -> VALUE.bad);
        @SuppressWarnings({"unchecked", "rawtypes"})
        Converter<Money, String> text =
                (Converter) Converter.<Object, String>of(String.class, x -> "x", x -> "no money");

        assertThat(RecordedProperties.named(VALUE, with(liar))).containsEntry("bad", 1L);
        assertThatExceptionOfType(PropertyConversionException.class)
                .isThrownBy(() -> with(text).newReader().text(0, "x"))
                .withStackTraceContaining("restored a java.lang.String");
    }

    @Test
    void refusesAConverterToATypeWithoutAPlace() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(Converter.of(List.class, List::of, list -> VALUE.bad)))
                .withMessageContaining(Money.class.getName())
                .withMessageContaining("stores a java.util.List");
    }

    private record WrongType(@Converted(MoneyText.class) String bad) {}

    private record Variable<T>(@Converted(Lines.class) T bad) {}

    private record OtherList(@Converted(Lines.class) List<Integer> bad) {}

    private record NeedsMore(@Converted(Configured.class) Money bad) {}

    record Configured(String currency) implements Converter<Money, Long> {
        @Override
        public Class<Long> storedType() {
            return Long.class;
        }

        @Override
        public Long store(Money value) {
            return value.cents;
        }

        @Override
        public Money restore(Long stored) {
            return new Money(stored, currency);
        }
    }

    @Test
    void refusesAMarkThatDoesNotFit() {
        assertRefused(WrongType.class, "MoneyText converts " + Money.class.getName() + ", not java.lang.String");
        assertRefused(OtherList.class, "java.util.List<java.lang.String>, not java.util.List<java.lang.Integer>");
        assertRefused(Variable.class, "the type T is not known until run time");
        assertRefused(NeedsMore.class, "Configured cannot be mapped: it has no constructor without parameters");
    }

    private static void assertRefused(Class<?> type, String reason) {
        assertThatExceptionOfType(UnmappableTypeException.class)
                .isThrownBy(() -> EntityType.of(type))
                .withMessageStartingWith(type.getName())
                .withMessageContaining("component bad")
                .withMessageContaining(reason);
    }

    private enum Level {
        NEW,
        PAID
    }

    private record Orders(Level level, BigInteger number, LocalDate day) {}

    @Test
    @DisplayName("T9: what a converter stores compares for order only if the converter says so")
    void ordersWhereTheConverterSaysSo() {
        EntityType<Orders> type = EntityType.of(
                Orders.class,
                Mapping.builder()
                        .convert(
                                Level.class,
                                Converter.of(Integer.class, level -> level == Level.NEW ? 2 : 1, code -> Level.NEW))
                        .convert(BigInteger.class, Converter.of(byte[].class, BigInteger::toByteArray, BigInteger::new))
                        .convert(
                                LocalDate.class,
                                Converter.ofOrdered(Long.class, LocalDate::toEpochDay, LocalDate::ofEpochDay))
                        .build());

        assertThat(Filter.property(type, "day").atLeast(LocalDate.EPOCH).toOData())
                .isEqualTo("day ge 0L");
        assertThat(Filter.property(type, "level").equalTo(Level.PAID).toOData()).isEqualTo("level eq 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filter.property(type, "level").atLeast(Level.PAID))
                .withMessageContaining("filter on level: values of " + Level.class.getName());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filter.property(type, "number").greaterThan(BigInteger.ONE))
                .withMessageContaining("filter on number: values of java.math.BigInteger");
    }

    abstract static class Unmade implements Converter<Money, String> {}

    static class Nameless implements Converter<Money, String> {
        @Override
        @SuppressWarnings("NullAway") // the fault that is tested
        public Class<String> storedType() {
            return null;
        }

        @Override
        public String store(Money value) {
            return value.currency;
        }

        @Override
        public Money restore(String stored) {
            return new Money(1, stored);
        }
    }

    static final class Closed extends Nameless {
        @Override
        public Class<String> storedType() {
            throw new IllegalStateException("closed");
        }
    }

    static final class Broken extends Nameless {
        Broken() {
            throw new IllegalStateException("broken");
        }
    }

    private record UsesUnmade(@Converted(Unmade.class) Money bad) {}

    private record UsesNameless(@Converted(Nameless.class) Money bad) {}

    private record UsesClosed(@Converted(Closed.class) Money bad) {}

    private record UsesBroken(@Converted(Broken.class) Money bad) {}

    @Test
    @DisplayName(
            "MAP-2: a converter that cannot be made or does not say what it stores is refused with type and component")
    void refusesAConverterThatDoesNotWork() {
        assertRefused(UsesUnmade.class, Unmade.class.getName() + " cannot be mapped: it is abstract");
        assertRefused(UsesNameless.class, Nameless.class.getName() + ", does not say what it stores");
        assertRefused(UsesClosed.class, Closed.class.getName() + ", does not say what it stores");
        assertRefused(UsesBroken.class, Broken.class.getName() + " cannot be mapped: its constructor failed");
        for (Class<?> type : List.of(UsesClosed.class, UsesBroken.class)) {
            assertThatExceptionOfType(UnmappableTypeException.class)
                    .isThrownBy(() -> EntityType.of(type))
                    .withCauseInstanceOf(IllegalStateException.class);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Mapping.builder().convert(Money.class, new Nameless()))
                .withMessageContaining(Nameless.class.getName() + ", does not say what it stores");
    }
}
