package io.stowline.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class InterleavingTest {

    @Test
    void spreadsEveryCountryOverTheWhole() {
        List<Run> runs = runs(List.of(Cities.country("AA", 8), Cities.country("BB", 4), Cities.country("CC", 1)), 2);

        assertThat(runs)
                .extracting(run -> run.cities().get(0).country())
                .containsExactly("AA", "CC", "AA", "BB", "AA", "AA", "BB");
    }

    @Test
    void marksTheRestOfACountry() {
        List<Run> runs = runs(List.of(Cities.country("AA", 5)), 2);

        assertThat(runs).extracting(Run::last).containsExactly(false, false, true);
        assertThat(runs).extracting(run -> run.cities().size()).containsExactly(2, 2, 1);
    }

    @Test
    void marksTheLastRunThoughItIsFull() {
        assertThat(runs(List.of(Cities.country("AA", 4)), 2))
                .extracting(Run::last)
                .containsExactly(false, true);
    }

    @Test
    void endsAtOnceWithoutCities() {
        Interleaving none = new Interleaving(List.of(new Country("AA")), 2);

        assertThat(none.hasNext()).isFalse();
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(none::next);
    }

    @Property
    void losesNothingAndKeepsTheOrderOfEachCountry(
            @ForAll @Size(max = 12) List<@IntRange(max = 40) Integer> sizes,
            @ForAll @IntRange(min = 1, max = 10) int most) {
        List<Country> countries = countries(sizes);
        Map<String, List<City>> seen = new HashMap<>();
        runs(countries, most).forEach(run -> run.cities()
                .forEach(city -> seen.computeIfAbsent(city.country(), code -> new ArrayList<>())
                        .add(city)));

        for (Country country : countries) {
            List<City> expected = new ArrayList<>();
            country.forEach(expected::add);
            assertThat(seen.getOrDefault(country.code(), List.of())).isEqualTo(expected);
        }
    }

    @Property
    void makesFullRunsOfOneCountryUntilItsLast(
            @ForAll @Size(max = 12) List<@IntRange(max = 40) Integer> sizes,
            @ForAll @IntRange(min = 1, max = 10) int most) {
        Map<String, Integer> ended = new HashMap<>();
        for (Run run : runs(countries(sizes), most)) {
            String country = run.cities().get(0).country();
            assertThat(run.cities()).allMatch(city -> city.country().equals(country));
            assertThat(ended).doesNotContainKey(country);
            if (run.last()) {
                assertThat(run.cities()).hasSizeBetween(1, most);
                ended.put(country, 1);
            } else {
                assertThat(run.cities()).hasSize(most);
            }
        }
        assertThat(ended).hasSize((int) sizes.stream().filter(size -> size > 0).count());
    }

    @Property
    void keepsAllCountriesAtAnEvenPace(
            @ForAll @Size(min = 2, max = 8) List<@IntRange(min = 1, max = 40) Integer> sizes) {
        Map<String, Integer> taken = new HashMap<>();
        List<Country> countries = countries(sizes);
        for (Run run : runs(countries, 1)) {
            taken.merge(run.cities().get(0).country(), 1, Integer::sum);
            for (Country one : countries) {
                for (Country other : countries) {
                    assertThat(Math.abs(share(one, taken) - share(other, taken)))
                            .isLessThanOrEqualTo(1.0 / one.size() + 1.0 / other.size() + 1e-9);
                }
            }
        }
    }

    private static double share(Country country, Map<String, Integer> taken) {
        return (double) taken.getOrDefault(country.code(), 0) / country.size();
    }

    private static List<Country> countries(List<Integer> sizes) {
        return IntStream.range(0, sizes.size())
                .mapToObj(i -> Cities.country("C" + (char) ('A' + i), sizes.get(i)))
                .toList();
    }

    private static List<Run> runs(List<Country> countries, int most) {
        List<Run> runs = new ArrayList<>();
        new Interleaving(countries, most).forEachRemaining(runs::add);
        return runs;
    }
}
