package io.stowline.projection.filter;

import static io.stowline.projection.filter.Filter.property;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterPropertyTest {

    private static final Pattern PLAIN_DECIMAL = Pattern.compile("-?\\d+\\.\\d+");
    private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

    private enum Colour {
        RED {
            @Override
            public String toString() {
                return "rot";
            }
        }
    }

    static Stream<Arguments> literals() {
        return Stream.of(
                Arguments.of("", "''"),
                Arguments.of("O'Neill", "'O''Neill'"),
                Arguments.of("'", "''''"),
                Arguments.of("' or 1 eq 1 or 'a' eq '", "''' or 1 eq 1 or ''a'' eq '''"),
                Arguments.of("Zürich 😀 & %27", "'Zürich 😀 & %27'"),
                Arguments.of(5, "5"),
                Arguments.of((byte) -5, "-5"),
                Arguments.of((short) 5, "5"),
                Arguments.of(Integer.MIN_VALUE, "-2147483648"),
                Arguments.of(5L, "5L"),
                Arguments.of(Long.MIN_VALUE, "-9223372036854775808L"),
                Arguments.of(1.0, "1.0"),
                Arguments.of(-0.5, "-0.5"),
                Arguments.of(1e10, "10000000000.0"),
                Arguments.of(1e-7, "0.00000010"),
                Arguments.of(0.1f, "0.10000000149011612"),
                Arguments.of(true, "true"),
                Arguments.of(false, "false"),
                Arguments.of(Instant.parse("2024-02-29T12:30:00.123456789Z"), "datetime'2024-02-29T12:30:00.1234567Z'"),
                Arguments.of(
                        OffsetDateTime.parse("2024-02-29T12:30:00+02:00"), "datetime'2024-02-29T10:30:00.0000000Z'"),
                Arguments.of(ID, "guid'00112233-4455-6677-8899-aabbccddeeff'"),
                Arguments.of(new byte[] {0, 10, -1}, "X'000aff'"),
                Arguments.of(new byte[0], "X''"),
                Arguments.of(Colour.RED, "'RED'"),
                Arguments.of(TimeUnit.DAYS, "'DAYS'"),
                Arguments.of(Duration.ofMillis(90_500), "'PT1M30.5S'"));
    }

    @ParameterizedTest
    @MethodSource("literals")
    @DisplayName("MAP-4: each value is the literal of its type")
    void quotesByType(Object value, String literal) {
        assertThat(property("p").equalTo(value).toOData()).isEqualTo("p eq " + literal);
        assertThat(property("p").notEqualTo(value).toOData()).isEqualTo("p ne " + literal);
    }

    @Property
    @Label("MAP-4: no text leaves its quotes")
    void keepsTextInItsQuotes(@ForAll @StringLength(max = 30) @CharRange(from = ' ', to = 'z') String text) {
        String literal = property("p").equalTo(text).toOData().substring("p eq ".length());

        assertThat(literal).startsWith("'").endsWith("'");
        String inside = literal.substring(1, literal.length() - 1);
        assertThat(inside.replace("''", "")).doesNotContain("'");
        assertThat(inside.replace("''", "'")).isEqualTo(text);
    }

    @Property
    @Label("MAP-4: a double is written without exponent and reads back the same")
    void writesDoublesExactly(@ForAll double value) {
        String literal = property("p").equalTo(value).toOData().substring("p eq ".length());

        assertThat(literal).matches(PLAIN_DECIMAL);
        assertThat(Double.parseDouble(literal)).isEqualTo(value + 0.0);
    }

    static Stream<Arguments> operators() {
        return Stream.of(
                operator("eq", FilterProperty::equalTo),
                operator("ne", FilterProperty::notEqualTo),
                operator("gt", FilterProperty::greaterThan),
                operator("ge", FilterProperty::atLeast),
                operator("lt", FilterProperty::lessThan),
                operator("le", FilterProperty::atMost));
    }

    private static Arguments operator(String word, BiFunction<FilterProperty, Object, Filter> comparison) {
        return Arguments.of(word, comparison);
    }

    @ParameterizedTest
    @MethodSource("operators")
    void hasEveryOperator(String word, BiFunction<FilterProperty, Object, Filter> comparison) {
        assertThat(comparison.apply(property("age"), 40).toOData()).isEqualTo("age " + word + " 40");
        assertThat(comparison.apply(Filter.partitionKey(), "a").toOData()).isEqualTo("PartitionKey " + word + " 'a'");
        assertThat(comparison.apply(Filter.rowKey(), "a").toOData()).isEqualTo("RowKey " + word + " 'a'");
        assertThat(comparison.apply(Filter.timestamp(), Instant.EPOCH).toOData())
                .isEqualTo("Timestamp " + word + " datetime'1970-01-01T00:00:00.0000000Z'");
    }

    @Test
    void includesBothEndsOfARange() {
        assertThat(property("age").between(18, 40).toOData()).isEqualTo("age ge 18 and age le 40");
        assertThat(property("age")
                        .between(18, 40)
                        .not()
                        .or(property("b").isTrue())
                        .toOData())
                .isEqualTo("not (age ge 18 and age le 40) or b eq true");
    }

    @Test
    void refusesARangeOfTwoTypes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> property("age").between(18, 40L))
                .withMessageContaining("age")
                .withMessageContaining("Integer")
                .withMessageContaining("Long");
    }

    @Test
    @DisplayName("MAP-3: one of several values is as many comparisons")
    void comparesWithOneOfSeveral() {
        assertThat(property("age").in(18, 40).toOData()).isEqualTo("age eq 18 or age eq 40");
        assertThat(property("age").in(List.of(18)).toOData()).isEqualTo("age eq 18");
        assertThat(property("age").in(1, 2, 3).comparisons()).isEqualTo(3);
        assertThat(Filter.rowKey().in("a", "b").and(property("x").isTrue()).toOData())
                .isEqualTo("(RowKey eq 'a' or RowKey eq 'b') and x eq true");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> property("age").in())
                .withMessageContaining("age");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> property("age").in(1, 2L))
                .withMessageContaining("Integer")
                .withMessageContaining("Long");
    }

    @Test
    void findsAPrefixByARange() {
        assertThat(Filter.rowKey().startsWith("BIB:").toOData()).isEqualTo("RowKey ge 'BIB:' and RowKey lt 'BIB;'");
        assertThat(property("name").startsWith("O'").toOData()).isEqualTo("name ge 'O''' and name lt 'O('");
        assertThat(property("name").startsWith("a&").toOData()).isEqualTo("name ge 'a&' and name lt 'a'''");
        assertThat(property("name").startsWith("\uFFFF").toOData()).isEqualTo("name ge '\uFFFF'");
    }

    @Test
    void refusesAnEmptyPrefix() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filter.rowKey().startsWith(""))
                .withMessageContaining("RowKey")
                .withMessageContaining("empty");
    }

    @Test
    void comparesBooleans() {
        assertThat(property("b").isTrue().toOData()).isEqualTo("b eq true");
        assertThat(property("b").isFalse().toOData()).isEqualTo("b eq false");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void refusesNumbersThatHaveNoLiteral(double value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> property("p").equalTo(value))
                .withMessageContaining(Double.toString(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uD83D", "a\uDE00b"})
    @DisplayName("MAP-4: text with an unpaired surrogate is refused, it would be sent as another text")
    void refusesAnUnpairedSurrogate(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> property("p").equalTo(text))
                .withMessageContaining("surrogate");
        assertThatIllegalArgumentException().isThrownBy(() -> property("p").startsWith(text));
    }

    @Test
    @DisplayName("MAP-2: a value without a type is refused with what to use instead")
    void refusesUnsupportedValues() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> property("price").equalTo(new AtomicLong(110)))
                .withMessageContaining("price")
                .withMessageContaining("AtomicLong")
                .withMessageContaining("use String");
        assertThatIllegalArgumentException().isThrownBy(() -> property("day").atLeast(LocalTime.NOON));
        assertThatIllegalArgumentException().isThrownBy(() -> property("p").equalTo(List.of()));
    }

    @Test
    void refusesOrderThatIsNotThatOfTheValues() {
        for (Object value :
                List.of(true, Colour.RED, TimeUnit.DAYS, Duration.ZERO, BigDecimal.ONE, BigInteger.TWO, ID)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> property("p").atLeast(value))
                    .withMessageContaining(
                            "filter on p: values of " + value.getClass().getName())
                    .withMessageContaining("equality");
            assertThatIllegalArgumentException().isThrownBy(() -> property("p").between(value, value));
        }
    }

    @Test
    void comparesSystemPropertiesWithTheirTypeOnly() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filter.rowKey().equalTo(5))
                .withMessageContaining("RowKey")
                .withMessageContaining("Edm.String");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filter.timestamp().atLeast("2024-01-01"))
                .withMessageContaining("Edm.DateTime");
    }

    @Test
    @DisplayName("MAP-3: a time out of the range is refused")
    void refusesATimeOutOfRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> property("t").atLeast(Instant.parse("1500-01-01T00:00:00Z")))
                .withMessageContaining("1601");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a eq 1 or b", "a'", "a-b", "", "PartitionKey", "Timestamp", "and", "not", "true", "null"})
    @DisplayName("MAP-4: a name that is no property name never reaches a filter")
    void refusesOtherNames(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> property(name));
    }

    static Stream<Arguments> nulls() {
        return Stream.of(
                nothing(property -> property.equalTo(null)),
                nothing(property -> property.notEqualTo(null)),
                nothing(property -> property.lessThan(null)),
                nothing(property -> property.between("a", null)),
                nothing(property -> property.startsWith(null)),
                nothing(property -> property.in("a", null)),
                nothing(property -> property.in(Arrays.asList(null, "a"))));
    }

    private static Arguments nothing(Function<FilterProperty, Filter> comparison) {
        return Arguments.of(comparison);
    }

    @ParameterizedTest
    @MethodSource("nulls")
    @DisplayName("MAP-4: null, which the service does not have, is refused with the property's name")
    void refusesNull(Function<FilterProperty, Filter> comparison) {
        assertThatNullPointerException()
                .isThrownBy(() -> comparison.apply(property("name")))
                .withMessageContaining("filter on name: the value is null; the service has no null");
    }
}
