package io.stowline.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import io.stowline.projection.internal.scan.EntityReader;
import io.stowline.projection.internal.scan.RecordedProperties;
import io.stowline.projection.internal.type.PropertyDescriptor;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NestedTest {

    private record Address(String city, @Property("zip") String postalCode) {}

    private record Point(double north, double east) {}

    private record Site(
            String name, @Nested Point place, @Ignore String note) {}

    private record Order(
            @RowKey String id,
            @Nested Address address,
            @Nested(separator = "") @Property("at") Optional<Site> site,
            int count) {}

    private final EntityType<Order> type = EntityType.of(Order.class);

    private Order roundTrip(Order order) {
        EntityReader<Order> reader = type.newReader();
        reader.rowKey(order.id);
        RecordedProperties.of(order, Order.class).playTo(reader);
        return reader.build();
    }

    @Test
    @DisplayName("MAP-2: the components of a nested value are properties of their own")
    void flattensTheNames() {
        assertThat(type.properties())
                .extracting(PropertyDescriptor::name)
                .containsExactly("address_city", "address_zip", "atname", "atplace_north", "atplace_east", "count");
        assertThat(type.properties())
                .extracting(PropertyDescriptor::component)
                .containsExactly(
                        "address.city",
                        "address.postalCode",
                        "site.name",
                        "site.place.north",
                        "site.place.east",
                        "count");
        assertThat(type.select()).startsWith("RowKey", "address_city").hasSize(7);
    }

    @Test
    void writesTheComponentsOfAValueAtItsPlace() {
        Order order =
                new Order("r", new Address("Oslo", null), Optional.of(new Site("hall", new Point(59.9, 10.7), "x")), 3);

        assertThat(RecordedProperties.named(order, Order.class))
                .containsExactly(
                        entry("address_city", "Oslo"),
                        entry("atname", "hall"),
                        entry("atplace_north", 59.9),
                        entry("atplace_east", 10.7),
                        entry("count", 3));
    }

    @Test
    @DisplayName("MAP-2: a value that is null or empty writes nothing and comes back as it was")
    void leavesAbsentValuesOut() {
        Order none = new Order("r", null, Optional.empty(), 3);
        Order shallow = new Order("r", null, Optional.of(new Site("hall", null, null)), 3);
        Order deep = new Order("r", null, Optional.of(new Site(null, new Point(1, 2), null)), 3);

        assertThat(RecordedProperties.named(none, Order.class)).containsExactly(entry("count", 3));
        assertThat(roundTrip(none)).isEqualTo(none);
        assertThat(roundTrip(shallow)).isEqualTo(shallow);
        assertThat(roundTrip(deep)).isEqualTo(deep);
    }

    @Test
    void aValueOfAbsentComponentsComesBackAsNull() {
        assertThat(roundTrip(new Order("r", new Address(null, null), Optional.empty(), 3)).address)
                .isNull();
    }

    @Test
    void aPresentValueNeedsItsPrimitives() {
        EntityReader<Order> reader = type.newReader();
        reader.integer(type.indexOf("count"), 1);
        reader.floating(type.indexOf("atplace_north"), 1.5);

        assertThatExceptionOfType(PropertyConversionException.class)
                .isThrownBy(reader::build)
                .withMessageContaining("property atplace_east is missing")
                .withMessageContaining("component site.place.east of " + Order.class.getName());
    }

    @Test
    void aRowShowsNothingOfTheRowBeforeIt() {
        EntityReader<Order> reader = type.newReader();
        RecordedProperties.of(
                        new Order(
                                "r", new Address("Oslo", "0150"), Optional.of(new Site("h", new Point(1, 2), null)), 3),
                        Order.class)
                .playTo(reader);
        assertThat(reader.build().address).isEqualTo(new Address("Oslo", "0150"));

        reader.integer(type.indexOf("count"), 1);

        assertThat(reader.build()).isEqualTo(new Order(null, null, Optional.empty(), 1));
    }

    private record Recursive(@Nested Recursive bad) {}

    private record Back(@Nested Forth forth) {}

    private record Forth(@Nested Optional<Back> bad) {}

    private record Keyed(@RowKey String bad) {}

    private record Timed(@Timestamp Instant bad, String text) {}

    private record Versioned(@ETag String bad, String text) {}

    private record Bagged(@PropertyBag Map<String, Object> bad, String text) {}

    private record WithKeyed(@Nested Keyed inner) {}

    private record WithTimed(@Nested Timed inner) {}

    private record WithVersioned(@Nested Versioned inner) {}

    private record WithBagged(@Nested Bagged inner) {}

    private record Dashed(@Nested(separator = "-") Address bad) {}

    private record Clash(String address_city, @Nested Address address) {}

    private record OfText(@Nested String bad) {}

    private record OfMap(@Nested Map<String, Object> bad) {}

    private record WithDefault(@Nested @Default("x") Address bad) {}

    private record Unmarked(Address bad) {}

    private record Strange(Object odd) {}

    private record WithStrange(@Nested Strange inner) {}

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of(Recursive.class, "component bad:", "Recursive holds itself"),
                Arguments.of(Back.class, "component forth.bad:", "Back holds itself"),
                Arguments.of(WithKeyed.class, "component inner.bad:", "a nested value has no @RowKey"),
                Arguments.of(WithTimed.class, "component inner.bad:", "a nested value has no @Timestamp"),
                Arguments.of(WithVersioned.class, "component inner.bad:", "a nested value has no @ETag"),
                Arguments.of(WithBagged.class, "component inner.bad:", "a nested value has no @PropertyBag"),
                Arguments.of(Dashed.class, "component bad.city:", "\"bad-city\": U+002D at position 3"),
                Arguments.of(
                        Clash.class, "component address.city:", "address_city is that of component address_city too"),
                Arguments.of(OfText.class, "component bad:", "public constructors"),
                Arguments.of(OfMap.class, "component bad:", "Map<java.lang.String, java.lang.Object> cannot be nested"),
                Arguments.of(WithDefault.class, "component bad:", "both @Nested and @Default"),
                Arguments.of(Unmarked.class, "component bad:", "mark it @Nested"),
                Arguments.of(WithStrange.class, "component inner.odd:", "java.lang.Object is not supported"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    @DisplayName("MAP-2: what cannot be nested is refused by its path when the type is registered")
    void refusesByPath(Class<?> root, String component, String reason) {
        assertThatExceptionOfType(UnmappableTypeException.class)
                .isThrownBy(() -> EntityType.of(root))
                .withMessageStartingWith(root.getName() + " cannot be mapped: ")
                .withMessageContaining(component)
                .withMessageContaining(reason);
    }

    @Test
    void theMarkGoesBeforeAConverterOfTheMapping() {
        Mapping mapping = Mapping.builder()
                .convert(Address.class, Converter.of(String.class, Address::city, city -> new Address(city, "")))
                .build();

        assertThat(EntityType.of(Order.class, mapping).select()).isEqualTo(type.select());
    }
}
