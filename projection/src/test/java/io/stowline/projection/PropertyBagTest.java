package io.stowline.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.projection.internal.scan.EntityReader;
import io.stowline.projection.internal.scan.RecordedProperties;
import io.stowline.projection.internal.type.PropertyDescriptor;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PropertyBagTest {

    private record Point(double north) {}

    private record Order(
            @RowKey String id,
            @PropertyBag Map<String, Object> others,
            @ETag String version,
            int count,
            @Nested Point place) {}

    private final EntityType<Order> type = EntityType.of(Order.class);

    private static Order with(Map<String, Object> others) {
        return new Order("r", others, null, 3, null);
    }

    @Test
    void readsAllPropertiesAndNeedsTheirTypes() {
        assertThat(type.select()).isNull();
        assertThat(type.hasPropertyBag()).isTrue();
        assertThat(type.properties()).extracting(PropertyDescriptor::name).containsExactly("count", "place_north");
    }

    @Test
    void writesItsEntriesAfterTheComponents() {
        Map<String, Object> others = new LinkedHashMap<>();
        others.put("a", (short) 5);
        others.put("none", null);
        others.put("b", DayOfWeek.SUNDAY);

        RecordedProperties written = RecordedProperties.of(with(others), type);

        assertThat(written.values).containsExactly(Map.entry(0, 3));
        assertThat(written.others).containsExactly(Map.entry("a", 5), Map.entry("b", "SUNDAY"));
    }

    @Test
    void nullAndEmptyWriteNothing() {
        assertThat(RecordedProperties.of(with(null), type).others).isEmpty();
        assertThat(RecordedProperties.of(with(Map.of()), type).others).isEmpty();
    }

    @Test
    void givesWhatIsLeftAndNeverNull() {
        EntityReader<Order> reader = type.newReader();
        reader.rowKey("r");
        reader.etag("W/\"1\"");
        reader.integer(0, 3);
        reader.others(new HashMap<>(Map.of("a", 5L)));

        Order first = reader.build();
        reader.integer(0, 4);

        assertThat(first).isEqualTo(new Order("r", Map.of("a", 5L), "W/\"1\"", 3, null));
        assertThatThrownBy(() -> first.others.put("b", 1)).isInstanceOf(UnsupportedOperationException.class);
        assertThat(reader.build()).isEqualTo(new Order(null, Map.of(), null, 4, null));
    }

    @ParameterizedTest
    @CsvSource({
        "count,        that of a component too",
        "place_north,  that of a component too",
        "PartitionKey, reserved",
        "Timestamp,    reserved",
        "odata.etag,   reserved",
        "first-name,   U+002D at position 5"
    })
    @DisplayName("MAP-3: a name in the bag that cannot be is refused by name")
    void refusesNames(String name, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordedProperties.of(with(Map.of(name, 1)), type))
                .withMessageContaining(name)
                .withMessageContaining(reason);
    }

    @Test
    @DisplayName("MAP-2: a value in the bag without a place is refused by name")
    void refusesValues() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordedProperties.of(with(Map.of("day", LocalTime.NOON)), type))
                .withMessageContaining("property day of the bag: java.time.LocalTime is not supported");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordedProperties.of(with(Collections.singletonMap(null, 1)), type))
                .withMessageContaining("name in the property bag is null");
    }

    @Test
    void aTypeWithoutBagOrEtagIgnoresThem() {
        EntityType<Point> point = EntityType.of(Point.class);
        EntityReader<Point> reader = point.newReader();
        reader.others(new HashMap<>(Map.of("a", 1)));
        reader.etag("x");
        reader.floating(0, 1);

        assertThat(reader.build()).isEqualTo(new Point(1));
        assertThat(point.hasPropertyBag()).isFalse();
        assertThat(point.hasEtag()).isFalse();
        assertThat(type.hasEtag()).isTrue();
    }

    private record WrongMap(@PropertyBag Map<String, String> bad) {}

    private record RawMap(
            @PropertyBag @SuppressWarnings("rawtypes") Map bad) {}

    private record TwoBags(
            @PropertyBag Map<String, Object> first,
            @PropertyBag Map<String, Object> bad) {}

    private record NumberEtag(@ETag long bad) {}

    private record TwoEtags(@ETag String first, @ETag String bad) {}

    private record BagAndKey(@RowKey @PropertyBag Map<String, Object> bad) {}

    private record OnlyEtag(@ETag String etag) {}

    @Test
    void refusesMarksThatDoNotFit() {
        assertRefused(WrongMap.class, "cannot be a property bag; it is a Map<String, Object>");
        assertRefused(RawMap.class, "cannot be a property bag");
        assertRefused(TwoBags.class, "component bad: it is a second @PropertyBag beside component first");
        assertRefused(NumberEtag.class, "long cannot be an ETag; it is a String");
        assertRefused(TwoEtags.class, "component bad: it is a second @ETag beside component first");
        assertRefused(BagAndKey.class, "both @RowKey and @PropertyBag");
        assertRefused(OnlyEtag.class, "no component of it is read or written");
    }

    private static void assertRefused(Class<?> type, String reason) {
        assertThatExceptionOfType(UnmappableTypeException.class)
                .isThrownBy(() -> EntityType.of(type))
                .withMessageStartingWith(type.getName())
                .withMessageContaining(reason);
    }
}
