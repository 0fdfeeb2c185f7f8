package io.stowline.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.projection.internal.scan.EntityReader;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Records whose annotations stand at the parameters of the constructor alone, as Kotlin's compiler writes them for {@code @JvmRecord}. */
class ConstructorMarksTest {

    @SuppressWarnings("CanonicalConstructor")
    private record Address(String city, int zip) {
        private Address(@Property("City") String city, @Default("9") int zip) {
            this.city = city;
            this.zip = zip;
        }
    }

    private record Person(String country, String id, Address home, String code, String secret) {
        private Person(
                @PartitionKey String country,
                @RowKey String id,
                @Nested Address home,
                @Converted(UpperCase.class) String code,
                @Ignore String secret) {
            this.country = country;
            this.id = id;
            this.home = home;
            this.code = code;
            this.secret = secret;
        }
    }

    /** The component's own annotation counts. */
    private record Both(@Property("own") String name) {
        private Both(@Property("other") String name) {
            this.name = name;
        }
    }

    private record Contradiction(@PartitionKey String name) {
        private Contradiction(@Ignore String name) {
            this.name = name;
        }
    }

    /** Made by the mapping. */
    public static final class UpperCase implements Converter<String, String> {
        @Override
        public Class<String> storedType() {
            return String.class;
        }

        @Override
        public String store(String value) {
            return value.toUpperCase(Locale.ROOT);
        }

        @Override
        public String restore(String stored) {
            return stored.toLowerCase(Locale.ROOT);
        }
    }

    @Test
    @DisplayName("MAP-2: the annotations of a record's canonical constructor count as those of its components")
    void areThoseOfTheComponents() {
        EntityType<Person> type = EntityType.of(Person.class);

        assertThat(type.hasKeys()).isTrue();
        assertThat(type.select()).containsExactlyInAnyOrder("PartitionKey", "RowKey", "home_City", "home_zip", "code");
        EntityReader<Person> reader = type.newReader();
        Map.of("home_City", "Rome", "code", "IT").forEach((name, text) -> reader.text(type.indexOf(name), text));
        reader.partitionKey("eu");
        reader.rowKey("1");
        assertThat(reader.build()).isEqualTo(new Person("eu", "1", new Address("Rome", 9), "it", null));
    }

    @Test
    void giveWayToTheComponentsOwn() {
        assertThat(EntityType.of(Both.class).select()).containsExactly("own");
    }

    @Test
    void contradictTheComponentsOwn() {
        assertThatExceptionOfType(UnmappableTypeException.class)
                .isThrownBy(() -> EntityType.of(Contradiction.class))
                .withMessageContaining("both @PartitionKey and @Ignore");
    }
}
