package io.stowline.records.internal.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Intervals of UTC, and the folders of spans. */
final class IntervalsTest {

    @Provide
    Arbitrary<Integer> divisors() {
        return Arbitraries.integers().between(1, 86_400).filter(seconds -> 86_400 % seconds == 0);
    }

    @Property
    void floorBeginsTheIntervalOfAnInstant(
            @ForAll("divisors") int seconds,
            @ForAll @LongRange(min = -62_000_000_000L, max = 250_000_000_000L) long second,
            @ForAll @LongRange(min = 0, max = 999_999_999) long nano) {
        Intervals intervals = new Intervals(Duration.ofSeconds(seconds));
        Instant instant = Instant.ofEpochSecond(second, nano);

        Instant floor = intervals.floor(instant);

        assertThat(floor).isBeforeOrEqualTo(instant).isAfter(instant.minusSeconds(seconds));
        assertThat(intervals.end(instant)).isEqualTo(floor.plusSeconds(seconds)).isAfter(instant);
        int ofDay = LocalTime.ofInstant(floor, ZoneOffset.UTC).toSecondOfDay();
        assertThat(ofDay % seconds).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "PT5M, 2026-11-29T23:59:59.999999999Z, 2026-11-29T23:55:00Z, 2026-11-30T00:00:00Z",
        "PT5M, 2026-12-31T23:57:00Z, 2026-12-31T23:55:00Z, 2027-01-01T00:00:00Z",
        "PT24H, 2024-02-29T12:00:00Z, 2024-02-29T00:00:00Z, 2024-03-01T00:00:00Z",
        "PT1H, 2026-03-29T01:30:00Z, 2026-03-29T01:00:00Z, 2026-03-29T02:00:00Z",
        "PT1H, 1969-12-31T23:59:59.5Z, 1969-12-31T23:00:00Z, 1970-01-01T00:00:00Z"
    })
    void edges(Duration every, Instant instant, Instant floor, Instant end) {
        Intervals intervals = new Intervals(every);

        assertThat(intervals.floor(instant)).isEqualTo(floor);
        assertThat(intervals.end(instant)).isEqualTo(end);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.5S", "PT1.000000001S", "PT7S", "PT48H", "PT7M", "PT9999999999H"})
    void lengthsThatAreRefused(Duration every) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Intervals(every))
                .withMessageStartingWith("every is 1 s to 1 day")
                .withMessageEndingWith("and not " + every);
    }

    @Property
    void foldersCoverTheSpan(
            @ForAll @LongRange(min = 1_700_000_000L, max = 1_900_000_000L) long from,
            @ForAll @LongRange(min = 1, max = 100_000_000) long length,
            @ForAll @LongRange(min = 0, max = 1_000_000) long part) {
        Instant begin = Instant.ofEpochSecond(from);
        Instant end = begin.plusSeconds(length);

        List<String> folders = TimeFolders.covering(begin, end);

        assertThat(folders).isSorted().doesNotHaveDuplicates().hasSizeLessThan(60);
        Instant inside = begin.plusSeconds(length * part / 1_000_001);
        String hour = inside.toString().replace('-', '/').replace('T', '/').substring(0, 13) + "/";
        assertThat(folders.stream().filter(hour::startsWith)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-29T10:05:00Z, 2026-11-29T10:06:00Z, 2026/11/29/10/",
        "2026-11-29T10:05:00Z, 2026-11-29T12:00:00Z, 2026/11/29/10/ 2026/11/29/11/",
        "2026-11-29T22:00:00Z, 2026-11-30T02:00:00Z, 2026/11/29/22/ 2026/11/29/23/ 2026/11/30/00/ 2026/11/30/01/",
        "2026-11-29T02:00:00Z, 2026-11-30T00:00:00Z, 2026/11/29/",
        "2024-02-28T00:00:00Z, 2024-03-01T00:00:00Z, 2024/02/28/ 2024/02/29/",
        "2026-11-01T00:00:00Z, 2026-12-01T00:00:00Z, 2026/11/",
        "2026-12-31T23:59:59Z, 2027-01-01T00:00:01Z, 2026/12/31/23/ 2027/01/01/00/",
        "2025-01-01T00:00:00Z, 2027-01-01T00:00:00Z, 2025/ 2026/"
    })
    void folders(Instant from, Instant to, String expected) {
        assertThat(TimeFolders.covering(from, to)).containsExactly(expected.split(" "));
        assertThat(TimeFolders.covering(to, from)).isEmpty();
    }
}
