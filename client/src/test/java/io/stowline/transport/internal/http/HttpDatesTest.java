package io.stowline.transport.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpDatesTest {

    private static final Instant NOW = Instant.parse("2024-02-29T12:00:00Z");

    @Test
    void printsWithTwoDigitsForTheDay() {
        assertThat(new HttpDates().print(Instant.parse("2024-03-01T01:02:03Z").getEpochSecond()))
                .isEqualTo("Fri, 01 Mar 2024 01:02:03 GMT");
    }

    @Test
    void printsASecondOnce() {
        HttpDates dates = new HttpDates();
        String first = dates.print(NOW.getEpochSecond());

        assertThat(dates.print(NOW.getEpochSecond())).isSameAs(first);
        assertThat(dates.print(NOW.getEpochSecond() + 1)).isNotEqualTo(first);
        assertThat(dates.print(NOW.getEpochSecond())).isEqualTo(first);
    }

    @Test
    void printsEnglishWhateverTheLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.JAPAN);
        try {
            assertThat(new HttpDates().print(NOW.getEpochSecond())).isEqualTo("Thu, 29 Feb 2024 12:00:00 GMT");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Property
    void printsAsAFormatterDoes(@ForAll @LongRange(min = 0, max = 253_402_300_799L) long second) {
        DateTimeFormatter formatter = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
                .withZone(ZoneOffset.UTC);

        assertThat(new HttpDates().print(second)).isEqualTo(formatter.format(Instant.ofEpochSecond(second)));
    }

    @Property
    void readsWhatItPrints(@ForAll @LongRange(min = 0, max = 253_402_300_799L) long second) {
        String printed = new HttpDates().print(second);

        assertThat(HttpDates.parse(printed)).isEqualTo(Instant.ofEpochSecond(second));
        assertThat(printed).hasSize(29);
    }

    @Property
    @Label("a text of 29 characters with one changed is read as the formatter reads it")
    void readsWhatAFormatterReads(
            @ForAll @LongRange(min = 0, max = 253_402_300_799L) long second,
            @ForAll @IntRange(max = 28) int at,
            @ForAll @Chars({'0', '1', '2', '3', '9', ' ', ',', ':', '+', '-', 'J', 'a', 'M', 'u', 'G', 'S'}) char c) {
        StringBuilder text = new StringBuilder(new HttpDates().print(second));
        text.setCharAt(at, c);

        assertThat(HttpDates.parse(text.toString())).isEqualTo(byFormatter(text.toString()));
    }

    /** A formatter refuses a day of the week that is not the date's. */
    private static @Nullable Instant byFormatter(String text) {
        String date = text.replaceFirst("^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), ", "");
        try {
            return DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from);
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    @ParameterizedTest
    @DisplayName("WORLD-2: a day of the week that is not the date's is overlooked")
    @CsvSource(quoteCharacter = '"', textBlock = """
                    "Thu, 05 Jan 2117 03:24:11 GMT"
                    "Tue, 05 Jan 2117 03:24:11 GMT"
                    "Thu, 5 Jan 2117 03:24:11 GMT"
                    "05 Jan 2117 03:24:11 GMT"
                    """)
    void overlooksTheDayOfTheWeek(String text) {
        assertThat(HttpDates.parse(text)).isEqualTo(Instant.parse("2117-01-05T03:24:11Z"));
    }

    @Test
    void readsNothingFromJunk() {
        assertThat(HttpDates.parse(null)).isNull();
        assertThat(HttpDates.parse("")).isNull();
        assertThat(HttpDates.parse("yesterday")).isNull();
        assertThat(HttpDates.parse("Day, 05 Jan 2117 03:24:11 GMT")).isNull();
    }

    @ParameterizedTest(name = "ms {0}, Retry-After {1}: {2}")
    @DisplayName("RETRY-4: a hint is read from milliseconds, seconds or a date; milliseconds go first")
    @CsvSource({
        "1500,          ,                              PT1.5S",
        "' 250 ',       ,                              PT0.25S",
        "0,             ,                              PT0S",
        ",              3,                             PT3S",
        "1500,          3,                             PT1.5S",
        "junk,          3,                             PT3S",
        "-1,            3,                             PT3S",
        ",              'Thu, 29 Feb 2024 12:00:20 GMT', PT20S",
        ",              'Thu, 29 Feb 2024 11:00:00 GMT', PT0S",
        ",              'Thursday, 29-Feb-24 12:00:20 GMT', PT20S",
        ",              'Thu Feb 29 12:00:20 2024',    PT20S",
        ",              2147483647,                    PT2147483647S"
    })
    void readsHints(String millis, String retryAfter, Duration expected) {
        assertThat(HttpDates.hint(millis, retryAfter, NOW)).isEqualTo(expected);
    }

    @ParameterizedTest
    @DisplayName("RETRY-4: an unreadable hint is no hint")
    @CsvSource({",", "junk,", ",junk", ",-5", ",99999999999999999999", "-1,-1", "9999999999,", "1.5,"})
    void unreadableHintIsNone(String millis, String retryAfter) {
        assertThat(HttpDates.hint(millis, retryAfter, NOW)).isNull();
    }

    @Test
    @DisplayName("RETRY-4: a date an hour ahead is an hour's wait, to the second")
    void dateIsCountedFromNow() {
        String later = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                NOW.plusSeconds(3_600).atOffset(ZoneOffset.UTC));

        assertThat(HttpDates.hint(null, later, NOW)).isEqualTo(Duration.ofHours(1));
    }
}
