package io.stowline.testkit.internal.strict;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.internal.strict.rule.Identifiers;
import io.stowline.testkit.internal.strict.table.DateTimeText;
import io.stowline.testkit.internal.strict.table.GuidText;
import io.stowline.testkit.internal.wire.Base64Check;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Year;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValueTextsTest {

    @Property
    @Label("the Base64 of any bytes is valid, and measured without decoding it")
    void measuresBase64(@ForAll byte[] bytes) {
        String text = Base64.getEncoder().encodeToString(bytes);

        assertThat(Base64Check.isValid(text)).isTrue();
        assertThat(Base64Check.length(text)).isEqualTo(bytes.length);
    }

    @Property
    @Label("what the decoder of the JDK refuses is not valid Base64")
    void refusesWhatTheJdkRefuses(
            @ForAll @CharRange(from = '+', to = 'z') @StringLength(min = 1, max = 8) String text) {
        boolean decoded;
        try {
            Base64.getDecoder().decode(text);
            decoded = text.length() % 4 == 0;
        } catch (IllegalArgumentException e) {
            decoded = false;
        }

        assertThat(Base64Check.isValid(text)).isEqualTo(decoded);
    }

    @Property
    @Label("any time of the service's range is valid with 0 to 9 digits of a fraction")
    void readsTimes(
            @ForAll @LongRange(min = -11_644_473_600L, max = 253_402_300_799L) long second,
            @ForAll @IntRange(min = 0, max = 9) int digits) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(second, 123_456_789, ZoneOffset.UTC);
        String fraction = digits == 0 ? "" : "." + "S".repeat(digits);
        String text =
                DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss" + fraction).format(time);

        assertThat(DateTimeText.year(text + "Z")).contains(Year.of(time.getYear()));
        assertThat(DateTimeText.year(text)).contains(Year.of(time.getYear()));
        assertThat(DateTimeText.isInRange(Year.of(time.getYear()))).isTrue();
    }

    @Property
    @Label("the texts of the JDK's instants are valid")
    void readsInstants(@ForAll @LongRange(min = 0, max = 4_000_000_000L) long second) {
        assertThat(DateTimeText.year(Instant.ofEpochSecond(second).toString())).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-11-21", "2026-11-21Z", "2026-11-21T10:00", "2026-11-21T10:00Z"})
    void readsShorterTimes(String text) {
        assertThat(DateTimeText.year(text)).contains(Year.of(2026));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Z",
                "today",
                "2026-02-30T10:00:00Z",
                "2026-11-21T25:00:00Z",
                "2026-11-21T10:00:00+01:00",
                "2026-11-21T10:00:00.Z",
                "2026-11-21T10:00:00.12a4Z",
                "21.11.2026 10:00:00"
            })
    void refusesOtherTimes(String text) {
        assertThat(DateTimeText.year(text)).isEmpty();
    }

    @Property
    @Label("any UUID is a Guid, in all forms but for a digit less")
    void readsGuids(@ForAll long high, @ForAll long low) {
        String text = new UUID(high, low).toString();

        assertThat(GuidText.isValid(text)).isTrue();
        assertThat(GuidText.isValid("{" + text + "}")).isTrue();
        assertThat(GuidText.isValid(text.replace("-", ""))).isTrue();
        assertThat(GuidText.isValid(text.substring(1))).isFalse();
        assertThat(GuidText.isValid(text.substring(1) + "g")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "_", "_1", "größe", "名前", "a\u0301", "a\u203Fb", "\u2160"})
    void knowsIdentifiers(String name) {
        assertThat(Identifiers.isIdentifier(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "a-b", "a b", "a.b", "a@b", "\uD83D\uDE00", "a\u0000"})
    void knowsWhatIsNoIdentifier(String name) {
        assertThat(Identifiers.isIdentifier(name)).isFalse();
    }
}
