package io.stowline.projection.internal.edm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextParsersTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, PT0S",
        "PT1H30M, PT1H30M",
        "-PT1.5S, PT-1.5S",
        "P2DT3H, PT51H",
        "00:00:00, PT0S",
        "01:02:03, PT1H2M3S",
        "-01:02:03.5, PT-1H-2M-3.5S",
        "1.00:00:00, PT24H",
        "10675199.02:48:05.4775807, PT256204778H48M5.4775807S",
        "-10675199.02:48:05.4775808, PT-256204778H-48M-5.4775808S",
        "00:00:00.0000001, PT0.0000001S"
    })
    @DisplayName("MAP-2: durations are read as ISO-8601 and as .NET's TimeSpan")
    void readsDurations(String text, Duration duration) {
        assertThat(TextParsers.duration(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "5", "1:2:3", "24:00:00", "00:60:00", "00:00:60", "00:00:00.", "1 day", "P1Y", "--01:00:00"})
    void refusesOtherDurations(String text) {
        assertThatThrownBy(() -> TextParsers.duration(text)).isInstanceOf(DateTimeException.class);
    }

    @Property
    void readsEveryUuid(@ForAll long high, @ForAll long low) {
        UUID id = new UUID(high, low);

        assertThat(TextParsers.guid(id.toString())).isEqualTo(id);
        assertThat(TextParsers.guid(id.toString().toUpperCase(java.util.Locale.ROOT)))
                .isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1-1-1-1-1",
                "00112233445566778899aabbccddeeff",
                "{00112233-4455-6677-8899-aabbccddeeff}",
                "+0112233-4455-6677-8899-aabbccddeeff",
                "00112233-4455-6677-8899-aabbccddeefg",
                "0011223-34455-6677-8899-aabbccddeeff"
            })
    @DisplayName("MAP-2: a UUID of another form is refused, not completed")
    void refusesOtherUuids(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> TextParsers.guid(text));
    }

    @Test
    void readsEnumsByNameOnly() {
        Function<String, Object> constants = TextParsers.enumConstants(TimeUnit.class);

        assertThat(constants.apply("DAYS")).isSameAs(TimeUnit.DAYS);
        for (String other : new String[] {"days", "Days", "6", "", "DECADES"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> constants.apply(other));
        }
    }

    @Test
    void readsOffsetTimesAtZ() {
        OffsetDateTime time = TextParsers.offsetDateTime("2020-01-02T03:04:05+02:00");

        assertThat(time.toString()).isEqualTo("2020-01-02T01:04:05Z");
    }

    @Property
    @Label("MAP-2: a UUID with one other character is read only if it is a hexadecimal digit")
    void otherCharactersInGuids(
            @ForAll long high, @ForAll long low, @ForAll @IntRange(max = 35) int at, @ForAll char other) {
        UUID id = new UUID(high, low);
        String text = id.toString().substring(0, at) + other + id.toString().substring(at + 1);
        if (text.matches("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")) {
            assertThat(TextParsers.guid(text)).isEqualTo(UUID.fromString(text));
        } else {
            assertThatIllegalArgumentException().isThrownBy(() -> TextParsers.guid(text));
        }
    }
}
