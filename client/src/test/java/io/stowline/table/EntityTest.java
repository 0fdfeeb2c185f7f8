package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntityTest {

    private static Entity.Builder builder() {
        return Entity.builder("p", "r");
    }

    static List<Arguments> kept() {
        UUID id = new UUID(1, 2);
        return List.of(
                Arguments.of("text", "text"),
                Arguments.of(true, true),
                Arguments.of(7, 7),
                Arguments.of((byte) 7, 7),
                Arguments.of((short) 7, 7),
                Arguments.of(7L, 7L),
                Arguments.of(1.5, 1.5),
                Arguments.of(1.5f, 1.5),
                Arguments.of(Instant.EPOCH, Instant.EPOCH),
                Arguments.of(OffsetDateTime.parse("1970-01-01T02:00:00+02:00"), Instant.EPOCH),
                Arguments.of(id, id),
                Arguments.of(DayOfWeek.MONDAY, "MONDAY"),
                Arguments.of(Duration.ofMinutes(90), "PT1H30M"));
    }

    @ParameterizedTest
    @DisplayName("MAP-2: each value is kept in the one Java type of its property type")
    @MethodSource("kept")
    void keepsInOneType(Object given, Object expected) {
        assertThat(builder().set("V", given).build().get("V")).isEqualTo(expected);
    }

    @Test
    @DisplayName("MAP-2: what has no property type is refused, with what is allowed")
    void refusesOtherTypes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().set("Price", new AtomicLong(15)))
                .withMessageContaining("Price")
                .withMessageContaining("java.util.concurrent.atomic.AtomicLong")
                .withMessageContaining("allowed are");
        assertThatIllegalArgumentException().isThrownBy(() -> builder().set("V", List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> builder().set("V", 'c'));
    }

    @Test
    @DisplayName("MAP-2: null takes a property out")
    void nullTakesOut() {
        assertThat(builder().set("V", 1).set("V", null).build().properties()).isEmpty();
    }

    @ParameterizedTest
    @DisplayName("MAP-3: names of properties are checked at once")
    @ValueSource(strings = {"", "1a", "a-b", "a b", "PartitionKey", "RowKey", "Timestamp"})
    void checksNames(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> builder().set(name, 1));
    }

    @ParameterizedTest
    @DisplayName("MAP-3: keys are checked at once")
    @ValueSource(strings = {"a/b", "a\\b", "a#b", "a?b", "a\tb", "\uD800"})
    void checksKeys(String key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Entity.builder(key, "r"))
                .withMessageContaining("PartitionKey");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Entity.builder("p", key))
                .withMessageContaining("RowKey");
    }

    @Test
    @DisplayName("T20: 252 properties of one's own, not one more")
    void countsProperties() {
        Entity.Builder full = builder();
        for (int i = 0; i < 252; i++) {
            full.set("P" + i, i);
        }
        assertThatCode(full::build).doesNotThrowAnyException();
        full.set("OneMore", 1);
        assertThatIllegalArgumentException()
                .isThrownBy(full::build)
                .withMessageContaining("253")
                .withMessageContaining("252");
    }

    @Test
    void givesPropertiesByType() {
        Entity entity = builder().set("N", 7).build();

        assertThat(entity.get("N", Integer.class)).isEqualTo(7);
        assertThat(entity.get("Missing", String.class)).isNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> entity.get("N", Long.class))
                .withMessage("property N is a Integer, not a Long");
    }

    @Test
    void isImmutable() {
        Entity.Builder builder = builder().set("A", 1);
        Entity entity = builder.build();
        builder.set("B", 2);

        assertThat(entity.properties()).containsOnlyKeys("A");
        assertThatThrownBy(() -> entity.properties().put("C", 3)).isInstanceOf(UnsupportedOperationException.class);
        assertThat(entity.toBuilder().set("B", 2).build().properties().keySet()).containsExactly("A", "B");
    }

    @Test
    void equalByKeysAndProperties() {
        Entity one = builder().set("B", new byte[] {1}).set("A", 1).build();

        assertThat(one)
                .isEqualTo(builder().set("A", 1).set("B", new byte[] {1}).build())
                .hasSameHashCodeAs(
                        builder().set("A", 1).set("B", new byte[] {1}).build())
                .isNotEqualTo(builder().set("A", 1).set("B", new byte[] {2}).build())
                .isNotEqualTo(builder().set("A", 1L).set("B", new byte[] {1}).build())
                .isNotEqualTo(builder().set("A", 1).build())
                .isNotEqualTo(Entity.builder("p", "other").build());
    }

    @Test
    void showsNamesAndNotValues() {
        assertThat(builder().set("Secret", "value").build()).hasToString("Entity[p, r, [Secret]]");
    }
}
