package io.stowline.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.projection.internal.scan.EntityReader;
import io.stowline.projection.internal.scan.RecordedProperties;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ImmutableClassTest {

    private record RunnerRecord(
            @PartitionKey String race,
            @RowKey String bib,
            @Property("Age") int age,
            boolean active,
            Optional<Long> chip,
            double pace,
            @Nested PlaceRecord place,
            @Timestamp Instant changed) {}

    private record PlaceRecord(String city) {}

    /** Every way in which a class gives its values: accessors of all names, and fields. */
    static class Named {
        private final String race;

        Named(String race) {
            this.race = race;
        }

        public String race() {
            return race;
        }
    }

    @SuppressWarnings("UnusedVariable") // fields that the mapping reads
    static final class Runner extends Named {
        private final String bib;
        private final int years;
        private final boolean active;
        private final Long chip;
        private final double pace;
        private final Place place;
        private final Instant changed;

        public Runner(
                @PartitionKey String race,
                @RowKey String bib,
                @Property("Age") int age,
                boolean active,
                Long chip,
                double pace,
                @Nested Place place,
                @Timestamp Instant changed) {
            super(race);
            this.bib = bib;
            this.years = age;
            this.active = active;
            this.chip = chip;
            this.pace = pace;
            this.place = place;
            this.changed = changed;
        }

        public String getBib() {
            return bib;
        }

        int age() {
            return years;
        }

        public boolean isActive() {
            return active;
        }

        /** Has another type than the component, which is read from its field. */
        public Optional<Long> chip() {
            return Optional.ofNullable(chip);
        }

        public Place getPlace() {
            return place;
        }
    }

    @SuppressWarnings("UnusedVariable")
    static final class Place {
        private final String city;

        public Place(String city) {
            this.city = city;
        }
    }

    private final EntityType<Runner> type = EntityType.of(Runner.class);
    private final EntityType<RunnerRecord> asRecord = EntityType.of(RunnerRecord.class);

    @Test
    void mapsLikeTheRecordOfTheSameComponents() {
        assertThat(type.select()).isEqualTo(asRecord.select());
        assertThat(type.properties())
                .usingElementComparator((a, b) -> a.toString().compareTo(b.toString()))
                .isEqualTo(asRecord.properties());
    }

    @net.jqwik.api.Property(tries = 200)
    @Label("MAP-2: an immutable class is written and read as the record of the same components")
    void isWrittenAndReadLikeTheRecord(
            @ForAll int age, @ForAll boolean active, @ForAll long chip, @ForAll double pace, @ForAll String city) {
        Place place = city.isEmpty() ? null : new Place(city);
        Runner runner = new Runner("race", "0042", age, active, chip, pace, place, null);

        RecordedProperties written = RecordedProperties.of(runner, type);
        EntityReader<RunnerRecord> records = asRecord.newReader();
        written.playTo(records);
        RunnerRecord read = records.build();
        EntityReader<Runner> runners = type.newReader();
        RecordedProperties.of(read, asRecord).playTo(runners);

        assertThat(read)
                .isEqualTo(new RunnerRecord(
                        null,
                        null,
                        age,
                        active,
                        Optional.of(chip),
                        pace,
                        place == null ? null : new PlaceRecord(city),
                        null));
        assertThat(RecordedProperties.of(runners.build(), type).values).isEqualTo(written.values);
    }

    @Test
    void givesAndTakesKeysAndTimestamp() {
        EntityReader<Runner> reader = type.newReader();
        reader.partitionKey("race");
        reader.rowKey("0042");
        reader.timestamp(Instant.EPOCH);
        reader.integer(0, 41);
        reader.bool(1, true);
        reader.floating(3, 1.5);

        Runner read = reader.build();

        assertThat(type.partitionKey(read)).isEqualTo("race");
        assertThat(type.rowKey(read)).isEqualTo("0042");
        assertThat(read.changed).isEqualTo(Instant.EPOCH);
        assertThat(read.place).isNull();
    }

    static final class Bean {
        private String name = "";

        public Bean() {}

        public String getName() {
            return name;
        }

        public void setName(String value) {
            name = value;
        }
    }

    static final class Two {
        public Two(String text) {}

        public Two(int number) {}
    }

    @SuppressWarnings({"UnusedMethod", "UnusedVariable"})
    static final class Hidden {
        private Hidden(String text) {}
    }

    static final class Lost {
        public Lost(String text) {}
    }

    static final class Other {
        private final int text;

        public Other(String text) {
            this.text = text.length();
        }

        public int text() {
            return text;
        }
    }

    @SuppressWarnings("ClassCanBeStatic")
    final class Inner {
        public Inner(String text) {}
    }

    abstract static class Partial {
        public Partial(String text) {}
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of(Bean.class, "setters are not called; use a record, or an immutable class"),
                Arguments.of(Two.class, "has 2 public constructors; use a record, or an immutable class"),
                Arguments.of(Hidden.class, "has 0 public constructors"),
                Arguments.of(
                        Lost.class,
                        "component text: nothing gives its value, a java.lang.String: there is no accessor"),
                Arguments.of(Other.class, "there is only text() of int, the field text of int"),
                Arguments.of(Inner.class, "cannot be instantiated"),
                Arguments.of(Partial.class, "cannot be instantiated"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    @DisplayName("MAP-2: a class that is not immutable in the stated way is refused with what to use instead")
    void refusesOtherClasses(Class<?> refused, String reason) {
        assertThatExceptionOfType(UnmappableTypeException.class)
                .isThrownBy(() -> EntityType.of(refused))
                .withMessageStartingWith(refused.getName() + " cannot be mapped: ")
                .withMessageContaining(reason);
    }

    @TempDir
    private Path folder;

    private Class<?> compiled(String constructor) throws IOException, ClassNotFoundException {
        String source = "package shop; import io.stowline.projection.*; public final class Item {"
                + " private final String id; private final int count;"
                + " public Item(" + constructor + ") { id = a; count = b; }"
                + " public String id() { return id; } public int count() { return count; } }";
        Path classes = SourceModules.compile(folder, List.of(), Map.of("shop/Item.java", source));
        return new URLClassLoader(
                        new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())
                .loadClass("shop.Item");
    }

    @Test
    void namesInTheAnnotationsServeAClassWithoutParameterNames() throws IOException, ClassNotFoundException {
        EntityType<?> item = EntityType.of(compiled("@RowKey @Property(\"id\") String a, @Property(\"count\") int b"));

        assertThat(item.select()).containsExactly("RowKey", "count");
    }

    @Test
    void refusesAClassWithoutParameterNames() throws IOException, ClassNotFoundException {
        Class<?> nameless = compiled("@Property(\"id\") String a, int b");

        assertThatExceptionOfType(UnmappableTypeException.class)
                .isThrownBy(() -> EntityType.of(nameless))
                .withMessageContaining("parameter 2 is not in the class file")
                .withMessageContaining("compile it with -parameters, or mark each parameter with @Property");
    }

    static class Animal {
        final String name;

        public Animal(@RowKey String name) {
            this.name = name;
        }

        public String name() {
            return name;
        }
    }

    static final class Dog extends Animal {
        final int legs;

        public Dog(@RowKey String name, int legs) {
            super(name);
            this.legs = legs;
        }
    }

    record Kennel(@RowKey String id, @Nested Guest guest) {}

    static class Guest {
        final String name;

        public Guest(String name) {
            this.name = name;
        }
    }

    @Test
    @DisplayName("MAP-2: a value of a subclass is refused on writing, for its own components would be lost")
    void refusesToWriteASubclass() {
        Guest guest = new Guest("Rex") {};

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordedProperties.of(new Dog("Rex", 4), Animal.class))
                .withMessageContaining(Dog.class.getName())
                .withMessageContaining(Animal.class.getName() + " that is mapped");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordedProperties.of(new Kennel("1", guest), Kennel.class))
                .withMessageContaining(guest.getClass().getName())
                .withMessageContaining(Guest.class.getName() + " that is mapped");
        assertThat(RecordedProperties.named(new Dog("Rex", 4), Dog.class)).isEqualTo(Map.of("legs", 4));
    }

    static final class Filled {
        final String id;
        final String seen;

        public Filled(@RowKey String id, @Ignore Object lock, @ETag String version, @Timestamp Instant time) {
            this.id = id;
            this.seen = version + " " + time;
        }
    }

    @Test
    void whatIsNeverWrittenNeedsNothingThatGivesItsValue() {
        EntityReader<Filled> reader = EntityType.of(Filled.class).newReader();
        reader.rowKey("1");
        reader.etag("v");
        reader.timestamp(Instant.EPOCH);

        Filled read = reader.build();

        assertThat(read.id).isEqualTo("1");
        assertThat(read.seen).isEqualTo("v 1970-01-01T00:00:00Z");
        assertThat(RecordedProperties.named(read, Filled.class)).isEmpty();
    }
}
