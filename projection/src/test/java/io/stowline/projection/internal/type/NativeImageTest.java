package io.stowline.projection.internal.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.projection.Converted;
import io.stowline.projection.Converter;
import io.stowline.projection.EntityType;
import io.stowline.projection.Ignore;
import io.stowline.projection.Mapping;
import io.stowline.projection.Nested;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.Property;
import io.stowline.projection.PropertyBag;
import io.stowline.projection.RowKey;
import io.stowline.projection.UnmappableTypeException;
import io.stowline.projection.internal.scan.EntityReader;
import io.stowline.projection.internal.scan.RecordedProperties;
import java.util.Currency;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Types that are registered where a property of GraalVM shows an image. */
class NativeImageTest {

    private record Primitives(boolean flag, byte tiny, short small, int number, long big, float ratio, double exact) {}

    private record Place(String city, int zone) {}

    public static final class ToCode implements Converter<Currency, String> {

        private ToCode() {}

        @Override
        public Class<String> storedType() {
            return String.class;
        }

        @Override
        public String store(Currency value) {
            return value.getCurrencyCode();
        }

        @Override
        public Currency restore(String stored) {
            return Currency.getInstance(stored);
        }
    }

    private record Order(
            @PartitionKey String customer,
            @RowKey String id,
            @Nested Place to,
            @Nested Optional<Place> from,
            Optional<String> note,
            @Converted(ToCode.class) Currency currency,
            @Ignore int ignored,
            @Ignore Optional<String> empty,
            @Ignore @Nullable String none,
            @PropertyBag Map<String, Object> others) {}

    private record Whole(int number) {
        Whole {
            if (number < 0) {
                throw new IllegalStateException("negative");
            }
        }
    }

    private record Failing(int number) {
        @Override
        public int number() {
            throw new IllegalStateException("hidden");
        }
    }

    /** An immutable class: an accessor, a getter and a field. */
    public static final class Visit {

        private final String page;
        private final boolean first;
        private final int seconds;

        public Visit(
                @Property("page") String page, @Property("first") boolean first, @Property("seconds") int seconds) {
            this.page = page;
            this.first = first;
            this.seconds = seconds;
        }

        public String getPage() {
            return page;
        }

        private boolean isFirst() {
            return first;
        }

        int twice() {
            return 2 * seconds;
        }
    }

    private static <T> T inImage(Supplier<T> work) {
        System.setProperty(TypeAccess.IMAGE_CODE, "runtime");
        try {
            return work.get();
        } finally {
            System.clearProperty(TypeAccess.IMAGE_CODE);
        }
    }

    /** A mapping has its own types, so that those of other tests are not used. */
    private static <T> EntityType<T> registered(Class<T> type) {
        return inImage(() -> EntityType.of(type, Mapping.builder().build()));
    }

    private static <T> T roundTrip(T value, EntityType<T> type) {
        EntityReader<T> reader = type.newReader();
        RecordedProperties.of(value, type).playTo(reader);
        return reader.build();
    }

    @Test
    void definesNoClass() throws NoSuchMethodException {
        Getter getter = inImage(() -> new TypeAccess(Place.class)
                .getter(String.class, () -> Place.class.getRecordComponents()[0].getAccessor()));
        Function<Object, @Nullable Object> city = getter.reference();

        assertThat(city.apply(new Place("Kiel", 1))).isEqualTo("Kiel");
        assertThat(city.getClass().getName()).startsWith(TypeAccess.class.getName());
        assertThat(inImage(() -> TypeComponents.of(Place.class)).constructor().handle())
                .isNull();
        assertThat(TypeComponents.of(Place.class).constructor().handle()).isNotNull();
    }

    @net.jqwik.api.Property
    @Label("MAP-2: primitives come back as they were in a native image, too")
    void bringsPrimitivesBack(
            @ForAll boolean flag,
            @ForAll byte tiny,
            @ForAll short small,
            @ForAll int number,
            @ForAll long big,
            @ForAll float ratio,
            @ForAll double exact) {
        Primitives value = new Primitives(flag, tiny, small, number, big, ratio, exact);
        EntityType<Primitives> type = registered(Primitives.class);

        assertThat(roundTrip(value, type)).isEqualTo(value);
        assertThat(RecordedProperties.named(value, type)).isEqualTo(RecordedProperties.named(value, Primitives.class));
    }

    @Test
    void mapsAllKindsOfComponents() {
        EntityType<Order> type = registered(Order.class);
        Order value = new Order(
                "c",
                "1",
                new Place("Kiel", 24),
                Optional.empty(),
                Optional.of("soon"),
                Currency.getInstance("EUR"),
                7,
                Optional.of("x"),
                "y",
                Map.of("more", 3));
        EntityReader<Order> reader = type.newReader();
        reader.partitionKey(type.partitionKey(value));
        reader.rowKey(type.rowKey(value));
        RecordedProperties.of(value, type).playTo(reader);

        assertThat(reader.build())
                .isEqualTo(new Order(
                        "c",
                        "1",
                        new Place("Kiel", 24),
                        Optional.empty(),
                        Optional.of("soon"),
                        Currency.getInstance("EUR"),
                        0,
                        Optional.empty(),
                        null,
                        Map.of("more", 3)));
        assertThat(RecordedProperties.of(value, type).values)
                .isEqualTo(RecordedProperties.of(value, Order.class).values);
    }

    @Test
    void readsAccessorsAndFieldsOfAnImmutableClass() {
        EntityType<Visit> type = registered(Visit.class);

        Visit back = roundTrip(new Visit("/", true, 3), type);

        assertThat(back.getPage()).isEqualTo("/");
        assertThat(back.isFirst()).isTrue();
        assertThat(back.twice()).isEqualTo(6);
    }

    @Test
    void throwsWhatConstructorAndAccessorThrow() {
        EntityReader<Whole> reader = registered(Whole.class).newReader();
        reader.integer(0, -1);

        assertThatThrownBy(reader::build)
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("negative");
        assertThatThrownBy(() -> RecordedProperties.of(new Failing(1), registered(Failing.class)))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("hidden");
    }

    @Test
    void refusesWhatItRefusesOnAJvm() {
        assertThatExceptionOfType(UnmappableTypeException.class).isThrownBy(() -> registered(Thread.class));
    }
}
