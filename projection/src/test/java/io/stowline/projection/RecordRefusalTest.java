package io.stowline.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Year;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RecordRefusalTest {

    private record Inner(String text) {}

    private record Atomic(AtomicLong bad) {}

    private record AnyNumber(Number bad) {}

    private record Letter(char bad) {}

    private record BoxedLetter(Character bad) {}

    private record Chars(CharSequence bad) {}

    private record OldDate(Date bad) {}

    private record OldCalendar(Calendar bad) {}

    private record Zoned(ZonedDateTime bad) {}

    private record Local(LocalDateTime bad) {}

    private record Clock(LocalTime bad) {}

    private record OneYear(Year bad) {}

    private record Nested(Inner bad) {}

    private record Listed(List<String> bad) {}

    private record SetOf(Set<Integer> bad) {}

    private record Mapped(Map<String, String> bad) {}

    @SuppressWarnings("ArrayRecordComponent")
    private record Ints(int[] bad) {}

    @SuppressWarnings("ArrayRecordComponent")
    private record Strings(String[] bad) {}

    @SuppressWarnings("ArrayRecordComponent")
    private record ObjectBytes(Byte[] bad) {}

    private record Anything(Object bad) {}

    private record AnyEnum(Enum<?> bad) {}

    private record RawOptional(@SuppressWarnings("rawtypes") Optional bad) {}

    private record OptionalIntOf(OptionalInt bad) {}

    private record OptionalLongOf(OptionalLong bad) {}

    private record OptionalDoubleOf(OptionalDouble bad) {}

    private record OptionalAtomic(Optional<AtomicLong> bad) {}

    private record OptionalList(Optional<List<String>> bad) {}

    private record OptionalOptional(Optional<Optional<String>> bad) {}

    private record OptionalWildcard(Optional<? extends String> bad) {}

    private record Variable<T>(T bad) {}

    private record OptionalVariable<T>(Optional<T> bad) {}

    @SuppressWarnings("ArrayRecordComponent")
    private record ArrayOfVariable<T>(T[] bad) {}

    static Stream<Arguments> unsupported() {
        return Stream.of(
                Arguments.of(Atomic.class, "AtomicLong", "use String, boolean"),
                Arguments.of(AnyNumber.class, "java.lang.Number", "use String, boolean"),
                Arguments.of(Letter.class, "char", "use a String"),
                Arguments.of(BoxedLetter.class, "Character", "use a String"),
                Arguments.of(Chars.class, "CharSequence", "use a String"),
                Arguments.of(OldDate.class, "java.util.Date", "use an Instant"),
                Arguments.of(OldCalendar.class, "java.util.Calendar", "use an Instant"),
                Arguments.of(Zoned.class, "ZonedDateTime", "an Instant and a String for the zone"),
                Arguments.of(Local.class, "LocalDateTime", "use an Instant, or a String"),
                Arguments.of(Clock.class, "LocalTime", "use a String or a Duration"),
                Arguments.of(OneYear.class, "java.time.Year", "use an Instant or a String"),
                Arguments.of(Nested.class, "Inner", "mark it @Nested"),
                Arguments.of(Listed.class, "java.util.List<java.lang.String>", "one component per value"),
                Arguments.of(SetOf.class, "java.util.Set", "one component per value"),
                Arguments.of(Mapped.class, "java.util.Map", "one component per value"),
                Arguments.of(Ints.class, "int[]", "byte[] is the only array"),
                Arguments.of(Strings.class, "java.lang.String[]", "byte[] is the only array"),
                Arguments.of(ObjectBytes.class, "java.lang.Byte[]", "byte[] is the only array"),
                Arguments.of(Anything.class, "java.lang.Object", "use String, boolean"),
                Arguments.of(AnyEnum.class, "java.lang.Enum", "an enum"),
                Arguments.of(RawOptional.class, "java.util.Optional", "such as Optional<String>"),
                Arguments.of(OptionalIntOf.class, "OptionalInt", "Optional<Integer>"),
                Arguments.of(OptionalLongOf.class, "OptionalLong", "Optional<Long>"),
                Arguments.of(OptionalDoubleOf.class, "OptionalDouble", "Optional<Double>"),
                Arguments.of(OptionalAtomic.class, "AtomicLong", "use String, boolean"),
                Arguments.of(OptionalList.class, "java.util.List<java.lang.String>", "one component per value"),
                Arguments.of(OptionalOptional.class, "java.util.Optional", "such as Optional<String>"),
                Arguments.of(OptionalWildcard.class, "? extends java.lang.String", "not known until run time"),
                Arguments.of(Variable.class, "the type T", "not known until run time"),
                Arguments.of(OptionalVariable.class, "the type T", "not known until run time"),
                Arguments.of(ArrayOfVariable.class, "the type T[]", "not known until run time"));
    }

    @ParameterizedTest
    @MethodSource("unsupported")
    @DisplayName("MAP-2: a component without a stated rule is refused when the type is registered")
    void refusesAnUnsupportedComponent(Class<?> type, String named, String instead) {
        assertThatExceptionOfType(UnmappableTypeException.class)
                .isThrownBy(() -> EntityType.of(type))
                .withMessageContaining(type.getName())
                .withMessageContaining("component bad")
                .withMessageContaining(named)
                .withMessageContaining(instead)
                .satisfies(refusal -> {
                    assertThat(refusal.type()).isSameAs(type);
                    assertThat(refusal.component()).contains("bad");
                });
    }

    private record TwoPartitionKeys(
            @PartitionKey String first, @PartitionKey String second) {}

    private record TwoRowKeys(@RowKey String first, @RowKey String second) {}

    private record TwoTimestamps(
            @Timestamp Instant first, @Timestamp Instant second) {}

    private record NumberKey(@RowKey int second) {}

    private record OptionalKey(@PartitionKey Optional<String> second) {}

    private record TextTimestamp(@Timestamp String second) {}

    private record TwoMarks(@PartitionKey @RowKey String second) {}

    private record RenamedKey(@RowKey @Property("Id") String second) {}

    private record IgnoredProperty(@Ignore @Property("Id") String second) {}

    private record SameName(String first, @Property("first") String second) {}

    private record SameRename(
            @Property("x") String first, @Property("x") int second) {}

    private record Reserved(@Property("PartitionKey") String second) {}

    private record ReservedComponent(String Timestamp) {}

    private record OData(@Property("odata.etag") String second) {}

    private record Dash(@Property("first-name") String second) {}

    private record Dollar(String a$b) {}

    private record Empty(@Property("") String second) {}

    static Stream<Arguments> misused() {
        return Stream.of(
                Arguments.of(TwoPartitionKeys.class, "second", "second @PartitionKey beside component first"),
                Arguments.of(TwoRowKeys.class, "second", "second @RowKey beside component first"),
                Arguments.of(TwoTimestamps.class, "second", "second @Timestamp"),
                Arguments.of(NumberKey.class, "second", "int cannot be a key; a key is a String"),
                Arguments.of(OptionalKey.class, "second", "cannot be a key; a key is a String"),
                Arguments.of(TextTimestamp.class, "second", "an Instant or an OffsetDateTime"),
                Arguments.of(TwoMarks.class, "second", "both @PartitionKey and @RowKey"),
                Arguments.of(RenamedKey.class, "second", "both @RowKey and @Property"),
                Arguments.of(IgnoredProperty.class, "second", "both @Ignore and @Property"),
                Arguments.of(SameName.class, "second", "property first is that of component first too"),
                Arguments.of(SameRename.class, "second", "property x is that of component first too"),
                Arguments.of(Reserved.class, "second", "\"PartitionKey\" is reserved"),
                Arguments.of(ReservedComponent.class, "Timestamp", "\"Timestamp\" is reserved"),
                Arguments.of(OData.class, "second", "\"odata.etag\" is reserved"),
                Arguments.of(Dash.class, "second", "U+002D at position 5"),
                Arguments.of(Dollar.class, "a$b", "U+0024 at position 1"),
                Arguments.of(Empty.class, "second", "empty"));
    }

    @ParameterizedTest
    @MethodSource("misused")
    @DisplayName("MAP-3: marks and names that cannot be are refused when the type is registered")
    void refusesMisusedMarks(Class<?> type, String component, String reason) {
        assertThatExceptionOfType(UnmappableTypeException.class)
                .isThrownBy(() -> EntityType.of(type))
                .withMessageContaining(type.getName())
                .withMessageContaining("component " + component)
                .withMessageContaining(reason);
    }

    private record Nothing() {}

    private record OnlyIgnored(@Ignore String text) {}

    @Test
    void refusesATypeThatIsNoRecord() {
        for (Class<?> type : List.<Class<?>>of(String.class, Object.class, Runnable.class, int.class, Record.class)) {
            assertThatExceptionOfType(UnmappableTypeException.class)
                    .isThrownBy(() -> EntityType.of(type))
                    .withMessageContaining(type.getName())
                    .withMessageContaining("not a record")
                    .satisfies(refusal -> assertThat(refusal.component()).isEmpty());
        }
    }

    @Test
    void refusesARecordThatWouldSelectNothing() {
        for (Class<?> type : List.<Class<?>>of(Nothing.class, OnlyIgnored.class)) {
            assertThatExceptionOfType(UnmappableTypeException.class)
                    .isThrownBy(() -> EntityType.of(type))
                    .withMessageContaining("no component of it is read or written");
        }
    }

    @Test
    void refusesAgainWhenAskedAgain() {
        assertThatExceptionOfType(UnmappableTypeException.class).isThrownBy(() -> EntityType.of(Atomic.class));
        assertThatExceptionOfType(UnmappableTypeException.class).isThrownBy(() -> EntityType.of(Atomic.class));
    }
}
