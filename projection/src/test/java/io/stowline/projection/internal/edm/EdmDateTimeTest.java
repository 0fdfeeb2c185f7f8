package io.stowline.projection.internal.edm;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.CharBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EdmDateTimeTest {

    private static final DateTimeFormatter SEVEN_DIGITS = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final Instant FIRST = Instant.parse("1601-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    @Provide
    Arbitrary<Instant> times() {
        Arbitrary<Long> seconds = Arbitraries.longs().between(FIRST.getEpochSecond(), LAST.getEpochSecond());
        Arbitrary<Integer> nanos = Arbitraries.integers().between(0, 999_999_999);
        return Combinators.combine(seconds, nanos).as(Instant::ofEpochSecond);
    }

    @Property
    @Label("MAP-2: the text is what java.time writes with seven digits")
    void writesWhatJavaTimeWrites(@ForAll("times") Instant time) {
        assertThat(EdmDateTime.format(time)).isEqualTo(SEVEN_DIGITS.format(time));
    }

    @Property
    @Label("MAP-2: a time comes back cut to 100 ns towards the past")
    void comesBackCutTowardsThePast(@ForAll("times") Instant time) {
        Instant back = EdmDateTime.parse(EdmDateTime.format(time));

        assertThat(Duration.between(back, time)).isBetween(Duration.ZERO, Duration.ofNanos(99));
        assertThat(EdmDateTime.format(back)).isEqualTo(EdmDateTime.format(time));
    }

    @Property
    void writesEveryDayOfTheCalendar(@ForAll @IntRange(min = -134_774, max = 2_932_896) int day) {
        Instant time = Instant.ofEpochSecond(day * 86_400L + 86_399);

        assertThat(EdmDateTime.format(time)).isEqualTo(SEVEN_DIGITS.format(time));
    }

    @Property
    void readsWhatJavaTimeReads(
            @ForAll("times") Instant time,
            @ForAll @IntRange(min = -18 * 60, max = 18 * 60) int offsetMinutes,
            @ForAll @IntRange(min = 0, max = 9) int digits) {
        OffsetDateTime local = time.atOffset(ZoneOffset.ofTotalSeconds(offsetMinutes * 60));
        String fraction = digits == 0 ? "" : "." + "S".repeat(digits);
        String text = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss" + fraction + "xxx", Locale.ROOT)
                .format(local.getYear() > 9999 ? local.minusDays(2) : local);

        assertThat(EdmDateTime.parse(text)).isEqualTo(OffsetDateTime.parse(text).toInstant());
    }

    @Property
    void readsNothingThatIsNoDate(
            @ForAll @IntRange(min = 0, max = 9999) int year,
            @ForAll @IntRange(min = 0, max = 14) int month,
            @ForAll @IntRange(min = 0, max = 33) int day) {
        String text = String.format(Locale.ROOT, "%04d-%02d-%02dT00:00:00Z", year, month, day);
        boolean exists = month >= 1
                && month <= 12
                && day >= 1
                && day <= java.time.YearMonth.of(year, month).lengthOfMonth();

        if (exists) {
            assertThat(EdmDateTime.parse(text)).isEqualTo(Instant.parse(text));
        } else {
            assertThatIllegalArgumentException().isThrownBy(() -> EdmDateTime.parse(text));
        }
    }

    @Property
    void refusesBrokenTextInOneWay(@ForAll("broken") String text) {
        try {
            assertThat(EdmDateTime.parse(text)).isNotNull();
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("yyyy-MM-ddTHH:mm:ss.fffffffZ");
        }
    }

    /** A good text with one character replaced, and cut somewhere. */
    @Provide
    Arbitrary<String> broken() {
        return Combinators.combine(
                        times().map(EdmDateTime::format),
                        Arbitraries.integers().between(0, EdmDateTime.LENGTH - 1),
                        Arbitraries.of('0', '9', '-', '+', ':', '.', 'T', 'Z', ' ', '\0', 'é'),
                        Arbitraries.integers().between(0, EdmDateTime.LENGTH))
                .as((text, at, c, end) -> (text.substring(0, at) + c + text.substring(at + 1)).substring(0, end));
    }

    @Test
    void writesTheEndsOfTheRange() {
        assertThat(EdmDateTime.format(FIRST)).isEqualTo("1601-01-01T00:00:00.0000000Z");
        assertThat(EdmDateTime.format(LAST)).isEqualTo("9999-12-31T23:59:59.9999999Z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1600-12-31T23:59:59.999999999Z", "+10000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z"})
    @DisplayName("MAP-3: a time out of the range is refused with value and limits")
    void refusesATimeOutOfRange(String time) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EdmDateTime.format(Instant.parse(time)))
                .withMessageContaining(Instant.parse(time).toString())
                .withMessageContaining("1601-01-01T00:00:00Z")
                .withMessageContaining("9999-12-31T23:59:59.9999999Z");
    }

    @Test
    void writesIntoTheMiddleOfABuffer() {
        byte[] buffer = "..............................".getBytes(US_ASCII);

        int end = EdmDateTime.write(Instant.parse("2024-02-29T12:30:05.0000001Z"), buffer, 1);

        assertThat(end).isEqualTo(29);
        assertThat(new String(buffer, US_ASCII)).isEqualTo(".2024-02-29T12:30:05.0000001Z.");
    }

    @Test
    void writesNothingIntoABufferThatIsTooSmall() {
        byte[] buffer = new byte[40];

        assertThatThrownBy(() -> EdmDateTime.write(Instant.EPOCH, buffer, 13))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(buffer).containsOnly(0);
    }

    @ParameterizedTest
    @CsvSource({
        "2020-01-02, 2020-01-02T00:00:00Z",
        "2020-01-02T03:04Z, 2020-01-02T03:04:00Z",
        "2020-01-02T03:04:05, 2020-01-02T03:04:05Z",
        "2020-01-02 03:04:05Z, 2020-01-02T03:04:05Z",
        "2020-01-02t03:04:05z, 2020-01-02T03:04:05Z",
        "2020-01-02T03:04:05.Z, 2020-01-02T03:04:05Z",
        "2020-01-02T03:04:05.5Z, 2020-01-02T03:04:05.5Z",
        "2020-01-02T03:04:05.1234567Z, 2020-01-02T03:04:05.1234567Z",
        "2020-01-02T03:04:05.123456789Z, 2020-01-02T03:04:05.123456789Z",
        "2020-01-02T03:04:05.1234567+05:30, 2020-01-01T21:34:05.1234567Z",
        "2020-01-02T03:04:05-08:00, 2020-01-02T11:04:05Z",
        "2020-01-02T03:04+00:00, 2020-01-02T03:04:00Z",
        "0001-01-01T00:00:00Z, 0001-01-01T00:00:00Z",
        "0000-02-29, 0000-02-29T00:00:00Z",
        "9999-12-31T23:59:59.9999999Z, 9999-12-31T23:59:59.9999999Z"
    })
    @DisplayName("MAP-2: times that other clients wrote are read")
    void readsWhatOtherClientsWrote(String text, String time) {
        assertThat(EdmDateTime.parse(text)).isEqualTo(Instant.parse(time));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2020",
                "2020-1-2T00:00:00Z",
                "2020/01/02T00:00:00Z",
                "2020-01-02T",
                "2020-01-02T03",
                "2020-01-02T03:0",
                "2020-01-02T0a:04:05Z",
                "2020-01-02T24:00:00Z",
                "2020-01-02T23:60:00Z",
                "2020-01-02T23:59:60Z",
                "2020-01-02T03:04:05.1234567890Z",
                "2020-01-02T03:04:05Zx",
                "2020-01-02T03:04:05 Z",
                "2020-01-02T03:04:05+0530",
                "2020-01-02T03:04:05+05:3",
                "2020-01-02T03:04:05+05:300",
                "2020-01-02T03:04:05+19:00",
                "2020-01-02x03:04:05Z",
                "2021-02-29",
                "1900-02-29",
                "+2020-01-02T03:04:05Z",
                "٢٠٢٠-01-02T03:04:05Z",
                "/Date(1577934245000)/"
            })
    void refusesOtherText(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EdmDateTime.parse(text))
                .withMessageContaining("yyyy-MM-ddTHH:mm:ss.fffffffZ");
    }

    @ParameterizedTest
    @DisplayName("MAP-3: a time is refused wherever another character stands in the place of a separator")
    @ValueSource(ints = {4, 7, 10, 13, 16, 19, 27, 30})
    void refusesEachWrongSeparator(int at) {
        String right = "2020-01-02T03:04:05.1234567+05:30";

        assertThat(EdmDateTime.parse(right)).isEqualTo(Instant.parse("2020-01-01T21:34:05.123456700Z"));
        for (char wrong : new char[] {'x', '/', ';', ',', '_', '0', '9', 'Z', '\0', '\u066B'}) {
            String text = right.substring(0, at) + wrong + right.substring(at + 1);
            assertThatIllegalArgumentException()
                    .as(text)
                    .isThrownBy(() -> EdmDateTime.parse(text))
                    .withMessageContaining("is not of the form");
        }
    }

    @Test
    void readsAnyCharSequence() {
        assertThat(EdmDateTime.parse(CharBuffer.wrap("2020-01-02T03:04:05Z"))).isEqualTo("2020-01-02T03:04:05Z");
    }
}
