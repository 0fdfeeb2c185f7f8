package io.stowline.projection.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.projection.EntityType;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.projection.Timestamp;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TypedFilterTest {

    record Athlete(
            @PartitionKey String race,
            @RowKey String id,
            @Timestamp Instant changed,
            String name,
            int age,
            long distance,
            double pace,
            boolean active,
            TimeUnit unit,
            Duration time,
            OffsetDateTime started,
            UUID team,
            @io.stowline.projection.Property("zip") String postalCode,
            Optional<Integer> rank) {}

    private static final EntityType<Athlete> TYPE = EntityType.of(Athlete.class);

    private static FilterProperty property(String component) {
        return Filter.property(TYPE, component);
    }

    static Stream<Arguments> comparisons() {
        return Stream.of(
                Arguments.of("name", "O'Neill", "name eq 'O''Neill'"),
                Arguments.of("age", 40, "age eq 40"),
                Arguments.of("age", (short) 40, "age eq 40"),
                Arguments.of("age", 40L, "age eq 40"),
                Arguments.of("distance", 42195, "distance eq 42195L"),
                Arguments.of("distance", 42195L, "distance eq 42195L"),
                Arguments.of("pace", 4, "pace eq 4.0"),
                Arguments.of("pace", 4.5f, "pace eq 4.5"),
                Arguments.of("active", true, "active eq true"),
                Arguments.of("unit", TimeUnit.DAYS, "unit eq 'DAYS'"),
                Arguments.of("time", Duration.ofSeconds(90), "time eq 'PT1M30S'"),
                Arguments.of(
                        "started",
                        OffsetDateTime.parse("2024-02-29T12:30:00+02:00"),
                        "started eq datetime'2024-02-29T10:30:00.0000000Z'"),
                Arguments.of("team", new UUID(0, 1), "team eq guid'00000000-0000-0000-0000-000000000001'"),
                Arguments.of("postalCode", "8001", "zip eq '8001'"),
                Arguments.of("zip", "8001", "zip eq '8001'"),
                Arguments.of("rank", 3, "rank eq 3"),
                Arguments.of("race", "full", "PartitionKey eq 'full'"),
                Arguments.of("id", "x", "RowKey eq 'x'"),
                Arguments.of("changed", Instant.EPOCH, "Timestamp eq datetime'1970-01-01T00:00:00.0000000Z'"));
    }

    @ParameterizedTest
    @MethodSource("comparisons")
    @DisplayName("T9 MAP-4: a value is compared as the component stores it")
    void comparesAsStored(String component, Object value, String text) {
        assertThat(property(component).equalTo(value).toOData()).isEqualTo(text);
        assertThat(property(component).equalTo(value).checkedFor(TYPE)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nam", "Age", "", "PartitionKeys"})
    @DisplayName("MAP-3: a name that the type does not have is refused at once, with near ones")
    void refusesUnknownNames(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> property(name))
                .withMessageContaining("Athlete")
                .withMessageContaining("near");
    }

    static Stream<Arguments> mistyped() {
        return Stream.of(
                Arguments.of("age", "40"),
                Arguments.of("age", 3_000_000_000L),
                Arguments.of("age", 4.5),
                Arguments.of("distance", 1.0),
                Arguments.of("pace", 5L),
                Arguments.of("name", 5),
                Arguments.of("unit", "DAYS"),
                Arguments.of("unit", java.time.DayOfWeek.MONDAY),
                Arguments.of("started", Instant.EPOCH),
                Arguments.of("rank", Optional.of(3)),
                Arguments.of("race", 5));
    }

    @ParameterizedTest
    @MethodSource("mistyped")
    @DisplayName("MAP-4: a value of another type is refused at once, it would find nothing")
    void refusesOtherTypes(String component, Object value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> property(component).equalTo(value))
                .withMessageContaining(TYPE.property(component).name())
                .withMessageContaining(value.getClass().getName());
    }

    @Test
    @DisplayName("T9: order is refused where the stored form does not sort as the values do")
    void refusesOrderThatIsNotStored() {
        for (String component : new String[] {"active", "unit", "time", "team"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> property(component).atLeast("x"))
                    .withMessageContaining("filter on " + component + ": values of "
                            + TYPE.property(component).javaType().getName())
                    .withMessageContaining("equality");
        }
        assertThat(property("age").between(18, (short) 40).toOData()).isEqualTo("age ge 18 and age le 40");
        assertThat(property("distance").in(5, 10L).toOData()).isEqualTo("distance eq 5L or distance eq 10L");
        assertThat(property("postalCode").startsWith("80").toOData()).isEqualTo("zip ge '80' and zip lt '81'");
        assertThat(property("active").isTrue().toOData()).isEqualTo("active eq true");
        assertThatIllegalArgumentException().isThrownBy(() -> property("age").startsWith("1"));
    }

    record Words(
            @PartitionKey String pk,
            @RowKey String rk,
            @io.stowline.projection.Property("and") int other) {}

    @Test
    void refusesANameThatIsAWordOfTheLanguage() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filter.property(EntityType.of(Words.class), "other"))
                .withMessageContaining("\"and\"");
    }

    record Priced(@RowKey String id, BigDecimal price) {}

    @Test
    void comparesAnExactNumberByItsTextAndSoItsScale() {
        FilterProperty price = Filter.property(EntityType.of(Priced.class), "price");

        assertThat(price.equalTo(new BigDecimal("5.00")).toOData()).isEqualTo("price eq '5.00'");
        assertThat(price.equalTo(new BigDecimal("5")).toOData()).isEqualTo("price eq '5'");
    }
}
