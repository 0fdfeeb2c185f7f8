package io.stowline.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.projection.filter.Filter;
import io.stowline.projection.internal.edm.TextParsers;
import java.time.DateTimeException;
import java.time.LocalDate;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dates without a time of day are text that sorts as they do. */
class LocalDateTest {

    private record Race(LocalDate day, String name) {}

    @Provide
    Arbitrary<LocalDate> days() {
        return Arbitraries.longs()
                .between(
                        LocalDate.of(0, 1, 1).toEpochDay(),
                        LocalDate.of(9999, 12, 31).toEpochDay())
                .map(LocalDate::ofEpochDay);
    }

    @Property
    void goesThereAndBackAndKeepsItsOrder(@ForAll("days") LocalDate one, @ForAll("days") LocalDate other) {
        String text = TextParsers.localDate(one);

        assertThat(TextParsers.localDate(text)).isEqualTo(one);
        assertThat(Integer.signum(text.compareTo(TextParsers.localDate(other))))
                .isEqualTo(Integer.signum(one.compareTo(other)));
    }

    @Test
    void filtersCompareTheText() {
        EntityType<Race> type = EntityType.of(Race.class);

        assertThat(Filter.property(type, "day")
                        .atLeast(LocalDate.of(2024, 2, 29))
                        .toOData())
                .isEqualTo("day ge '2024-02-29'");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 10_000, -999_999_999, 999_999_999})
    void refusesYearsThatDoNotSort(int year) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TextParsers.localDate("day", LocalDate.of(year, 1, 1)))
                .withMessageContaining("day")
                .withMessageContaining(Integer.toString(year))
                .withMessageContaining("9999");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2024-2-9", "2023-02-29", "2024-02-29T00:00:00Z", "20240229", "+2024-02-29"})
    void refusesOtherText(String text) {
        assertThatThrownBy(() -> TextParsers.localDate(text)).isInstanceOf(DateTimeException.class);
    }
}
