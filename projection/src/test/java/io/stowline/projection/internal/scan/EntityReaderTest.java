package io.stowline.projection.internal.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.projection.EntityType;
import io.stowline.projection.Ignore;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.Property;
import io.stowline.projection.PropertyConversionException;
import io.stowline.projection.RowKey;
import io.stowline.projection.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EntityReaderTest {

    private record BooleanOf(boolean value) {}

    private record ByteOf(byte value) {}

    private record ShortOf(Short value) {}

    private record IntOf(int value) {}

    private record BoxedIntOf(Integer value) {}

    private record LongOf(long value) {}

    private record FloatOf(float value) {}

    private record DoubleOf(double value) {}

    private record StringOf(String value) {}

    private record InstantOf(Instant value) {}

    private record OffsetOf(OffsetDateTime value) {}

    private record GuidOf(UUID value) {}

    @SuppressWarnings("ArrayRecordComponent")
    private record BytesOf(byte[] value) {}

    private record EnumOf(TimeUnit value) {}

    private record DurationOf(Duration value) {}

    private record OptionalOf(Optional<Long> value) {}

    /** One JSON value for the only property of a record. */
    private interface Json extends Consumer<EntityReader<?>> {}

    private static Json text(String value) {
        return reader -> reader.text(0, value);
    }

    private static Json integer(long value) {
        return reader -> reader.integer(0, value);
    }

    private static Json floating(double value) {
        return reader -> reader.floating(0, value);
    }

    private static Json bool(boolean value) {
        return reader -> reader.bool(0, value);
    }

    static Stream<Arguments> readable() {
        return Stream.of(
                Arguments.of(bool(true), new BooleanOf(true)),
                Arguments.of(integer(-128), new ByteOf((byte) -128)),
                Arguments.of(integer(32_767), new ShortOf((short) 32_767)),
                Arguments.of(integer(5), new IntOf(5)),
                Arguments.of(floating(5.0), new IntOf(5)),
                Arguments.of(text("-5"), new IntOf(-5)),
                Arguments.of(text("5"), new BoxedIntOf(5)),
                Arguments.of(text("9223372036854775807"), new LongOf(Long.MAX_VALUE)),
                Arguments.of(integer(Long.MIN_VALUE), new LongOf(Long.MIN_VALUE)),
                Arguments.of(floating(-0x1p63), new LongOf(Long.MIN_VALUE)),
                Arguments.of(floating(1e15), new LongOf(1_000_000_000_000_000L)),
                Arguments.of(integer(1), new DoubleOf(1.0)),
                Arguments.of(integer(1_152_921_504_606_847_000L), new DoubleOf(0x1p60)),
                Arguments.of(text("NaN"), new DoubleOf(Double.NaN)),
                Arguments.of(text("Infinity"), new DoubleOf(Double.POSITIVE_INFINITY)),
                Arguments.of(text("-Infinity"), new FloatOf(Float.NEGATIVE_INFINITY)),
                Arguments.of(text("INF"), new DoubleOf(Double.POSITIVE_INFINITY)),
                Arguments.of(text("-INF"), new FloatOf(Float.NEGATIVE_INFINITY)),
                Arguments.of(text("100.0"), new DoubleOf(100)),
                Arguments.of(text("-2.5E-1"), new FloatOf(-0.25f)),
                Arguments.of(floating(0.5), new FloatOf(0.5f)),
                Arguments.of(integer(16_777_216), new FloatOf(16_777_216f)),
                Arguments.of(text(""), new StringOf("")),
                Arguments.of(text("2020-01-02T03:04:05+02:00"), new InstantOf(Instant.parse("2020-01-02T01:04:05Z"))),
                Arguments.of(
                        text("2020-01-02T03:04:05.1234567Z"),
                        new OffsetOf(OffsetDateTime.parse("2020-01-02T03:04:05.1234567Z"))),
                Arguments.of(text("00000000-0000-0001-0000-00000000000A"), new GuidOf(new UUID(1, 10))),
                Arguments.of(text("DAYS"), new EnumOf(TimeUnit.DAYS)),
                Arguments.of(text("PT1H"), new DurationOf(Duration.ofHours(1))),
                Arguments.of(text("1.00:00:01"), new DurationOf(Duration.ofSeconds(86_401))),
                Arguments.of(text("7"), new OptionalOf(Optional.of(7L))));
    }

    @ParameterizedTest
    @MethodSource("readable")
    @DisplayName("MAP-2: what this and other clients wrote is read")
    void reads(Json json, Record expected) {
        EntityReader<?> reader = EntityType.of(expected.getClass()).newReader();
        json.accept(reader);

        assertThat((Object) reader.build()).isEqualTo(expected);
    }

    static Stream<Arguments> unreadable() {
        return Stream.of(
                Arguments.of(text("true"), BooleanOf.class, "true", "boolean"),
                Arguments.of(integer(1), BooleanOf.class, "1", "boolean"),
                Arguments.of(floating(1), BooleanOf.class, "1.0", "boolean"),
                Arguments.of(integer(128), ByteOf.class, "128", "byte"),
                Arguments.of(integer(-32_769), ShortOf.class, "-32769", "Short"),
                Arguments.of(integer(2_147_483_648L), IntOf.class, "2147483648", "int"),
                Arguments.of(text("2147483648"), IntOf.class, "2147483648", "int"),
                Arguments.of(floating(1.5), IntOf.class, "1.5", "int"),
                Arguments.of(floating(Double.NaN), IntOf.class, "NaN", "int"),
                Arguments.of(floating(1e10), IntOf.class, "10000000000", "int"),
                Arguments.of(bool(true), IntOf.class, "true", "int"),
                Arguments.of(text("abc"), BoxedIntOf.class, "abc", "Integer"),
                Arguments.of(text(""), LongOf.class, "", "long"),
                Arguments.of(text("9223372036854775808"), LongOf.class, "9223372036854775808", "long"),
                Arguments.of(floating(0x1p63), LongOf.class, "9.22337203685477", "long"),
                Arguments.of(text("1.0"), LongOf.class, "1.0", "long"),
                Arguments.of(floating(0.1), FloatOf.class, "0.1", "float"),
                Arguments.of(floating(1e300), FloatOf.class, "1.0E300", "float"),
                Arguments.of(integer(16_777_217), FloatOf.class, "1.6777217E7", "float"),
                Arguments.of(text("1.5d"), DoubleOf.class, "1.5d", "double"),
                Arguments.of(text(" 1.5"), DoubleOf.class, " 1.5", "double"),
                Arguments.of(text("1e999"), DoubleOf.class, "1e999", "double"),
                Arguments.of(text("0.1"), FloatOf.class, "0.1", "float"),
                Arguments.of(text("nan"), DoubleOf.class, "nan", "double"),
                Arguments.of(bool(false), DoubleOf.class, "false", "double"),
                Arguments.of(integer(5), StringOf.class, "5", "String"),
                Arguments.of(bool(true), StringOf.class, "true", "String"),
                Arguments.of(text("yesterday"), InstantOf.class, "yesterday", "Instant"),
                Arguments.of(integer(0), InstantOf.class, "0", "Instant"),
                Arguments.of(text("2020-13-01"), OffsetOf.class, "2020-13-01", "OffsetDateTime"),
                Arguments.of(text("1-1-1-1-1"), GuidOf.class, "1-1-1-1-1", "UUID"),
                Arguments.of(text("a*b="), BytesOf.class, "a*b=", "byte[]"),
                Arguments.of(text("days"), EnumOf.class, "days", "TimeUnit"),
                Arguments.of(text("6"), EnumOf.class, "6", "TimeUnit"),
                Arguments.of(integer(6), EnumOf.class, "6", "TimeUnit"),
                Arguments.of(text("1 day"), DurationOf.class, "1 day", "Duration"),
                Arguments.of(floating(0.5), OptionalOf.class, "0.5", "Long"));
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    @DisplayName("MAP-2: what would change its value is refused with property, value and wanted type")
    void refuses(Json json, Class<?> type, String value, String wanted) {
        EntityReader<?> reader = EntityType.of(type).newReader();

        assertThatExceptionOfType(PropertyConversionException.class)
                .isThrownBy(() -> json.accept(reader))
                .withMessageContaining("property value:")
                .withMessageContaining("\"" + value)
                .withMessageContaining("cannot be read as " + wanted)
                .withMessageContaining("component value of " + type.getName())
                .satisfies(refusal -> assertThat(refusal.property()).isEqualTo("value"));
    }

    @Test
    void shortensALongValueInTheMessage() {
        EntityReader<IntOf> reader = EntityType.of(IntOf.class).newReader();

        assertThatExceptionOfType(PropertyConversionException.class)
                .isThrownBy(() -> reader.text(0, "x".repeat(30_000)))
                .withMessageContaining("(30000 characters)")
                .satisfies(refusal -> assertThat(refusal.getMessage()).hasSizeLessThan(250));
    }

    private record Person(
            @PartitionKey String partition,
            @RowKey String row,
            @Timestamp OffsetDateTime changed,
            @Property("Name") String name,
            int age,
            Long salary,
            Optional<String> mail,
            @Ignore List<String> cache,
            @Ignore Optional<String> note,
            @Ignore int visits,
            @Ignore boolean seen,
            @Ignore double score) {}

    private final EntityType<Person> persons = EntityType.of(Person.class);
    private final EntityReader<Person> reader = persons.newReader();

    private void fill() {
        reader.partitionKey("p");
        reader.rowKey("r");
        reader.timestamp(Instant.EPOCH);
        reader.text(persons.indexOf("Name"), "Ann");
        reader.integer(persons.indexOf("age"), 41);
        reader.text(persons.indexOf("salary"), "5");
        reader.text(persons.indexOf("mail"), "a@b");
    }

    private static final Person ANN = new Person(
            "p",
            "r",
            OffsetDateTime.parse("1970-01-01T00:00:00Z"),
            "Ann",
            41,
            5L,
            Optional.of("a@b"),
            null,
            Optional.empty(),
            0,
            false,
            0);

    @Test
    void makesARecordOfKeysTimestampAndProperties() {
        fill();

        assertThat(reader.build()).isEqualTo(ANN);
    }

    @Test
    @DisplayName("MAP-2: absent properties are null or empty, never those of the row before")
    void startsAfreshWithEachRow() {
        fill();
        reader.build();
        reader.integer(persons.indexOf("age"), 1);

        Person person = reader.build();

        assertThat(person)
                .isEqualTo(new Person(
                        null, null, null, null, 1, null, Optional.empty(), null, Optional.empty(), 0, false, 0));
    }

    @Test
    @DisplayName("MAP-2: a primitive without a value is refused, the value of the row before is not taken")
    void refusesAMissingPrimitive() {
        fill();
        reader.build();
        reader.text(persons.indexOf("Name"), "Bob");

        assertThatExceptionOfType(PropertyConversionException.class)
                .isThrownBy(reader::build)
                .withMessageContaining("property age is missing")
                .withMessageContaining("int (component age of " + Person.class.getName())
                .satisfies(refusal -> assertThat(refusal.property()).isEqualTo("age"));
    }

    @Test
    void isReadyAgainAfterAFailedBuild() {
        reader.text(persons.indexOf("Name"), "Bob");
        assertThatThrownBy(reader::build).isInstanceOf(PropertyConversionException.class);
        reader.integer(persons.indexOf("age"), 1);

        assertThat(reader.build().name()).isNull();
    }

    @Test
    void treatsNullAsAbsent() {
        fill();
        reader.absent(persons.indexOf("Name"));
        reader.absent(persons.indexOf("mail"));

        Person person = reader.build();

        assertThat(person.name()).isNull();
        assertThat(person.mail()).isEmpty();
    }

    @Test
    void treatsNullForAPrimitiveAsMissing() {
        fill();
        reader.absent(persons.indexOf("age"));

        assertThatThrownBy(reader::build).isInstanceOf(PropertyConversionException.class);
    }

    @Test
    void takesTheLastOfSeveralValues() {
        fill();
        reader.integer(persons.indexOf("age"), 1);
        reader.integer(persons.indexOf("age"), 41);

        assertThat(reader.build()).isEqualTo(ANN);
    }

    @Test
    void forgetsOnReset() {
        fill();
        reader.reset();
        reader.integer(persons.indexOf("age"), 1);

        assertThat(reader.build().partition()).isNull();
    }

    @Test
    void readersOfOneTypeShareNothing() {
        EntityReader<Person> other = persons.newReader();
        fill();
        other.integer(persons.indexOf("age"), 1);

        assertThat(other.build().name()).isNull();
        assertThat(reader.build()).isEqualTo(ANN);
    }

    @Test
    void ignoresKeysAndTimestampThatTheRecordHasNoPlaceFor() {
        EntityReader<IntOf> plain = EntityType.of(IntOf.class).newReader();
        plain.partitionKey("p");
        plain.rowKey("r");
        plain.timestamp(Instant.EPOCH);
        plain.integer(0, 5);

        assertThat(plain.build()).isEqualTo(new IntOf(5));
    }

    private record Positive(int value) {
        Positive {
            if (value <= 0) {
                throw new IllegalArgumentException("not positive");
            }
        }
    }

    @Test
    void passesOnWhatTheConstructorThrows() {
        EntityReader<Positive> positives = EntityType.of(Positive.class).newReader();
        positives.integer(0, -1);

        assertThatThrownBy(positives::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not positive");
        positives.integer(0, 1);
        assertThat(positives.build()).isEqualTo(new Positive(1));
    }
}
