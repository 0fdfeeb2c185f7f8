package io.stowline.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CityTallyTest {

    private static final City CITY = new City("CH", "key", "Bern", 46.94809, 7.44744, "BE", "246");

    @Property
    void doesNotDependOnTheOrder(@ForAll Random random) {
        List<City> cities = new ArrayList<>(IntStream.range(0, 50)
                .mapToObj(i -> Cities.number(i % 3 == 0 ? "AA" : "BB", i))
                .toList());
        CityTally tally = tally(cities);
        Collections.shuffle(cities, random);

        assertThat(tally.differences(tally(cities))).isEmpty();
        assertThat(tally(cities).checksum()).isEqualTo(tally.checksum());
    }

    @ParameterizedTest
    @MethodSource("changes")
    void seesAChangeOfAnyField(City changed) {
        assertThat(tally(List.of(CITY)).differences(tally(List.of(changed))))
                .anyMatch(difference -> difference.startsWith("checksum: "));
    }

    static List<City> changes() {
        return List.of(
                new City("CI", "key", "Bern", 46.94809, 7.44744, "BE", "246"),
                new City("CH", "kex", "Bern", 46.94809, 7.44744, "BE", "246"),
                new City("CH", "key", "bern", 46.94809, 7.44744, "BE", "246"),
                new City("CH", "key", "Bern", Math.nextUp(46.94809), 7.44744, "BE", "246"),
                new City("CH", "key", "Bern", 46.94809, Math.nextDown(7.44744), "BE", "246"),
                new City("CH", "key", "Bern", 46.94809, 7.44744, "B", "246"),
                new City("CH", "key", "Bern", 46.94809, 7.44744, "BE", "245"),
                new City("CH", "key", "Bern", 46.94809, 7.44744, "BE2", "46"),
                new City("CH", "key", "Bern", 46.94809, 7.44744, "246", "BE"),
                new City("CH", "key", "Bern", 7.44744, 46.94809, "BE", "246"),
                new City("CH", "Bern", "key", 46.94809, 7.44744, "BE", "246"));
    }

    @Property
    void hashesDifferentNamesDifferently(@ForAll String one, @ForAll String other) {
        boolean same = CityHash.of(City.of("CH", one, "1", "2", "", ""))
                == CityHash.of(City.of("CH", other, "1", "2", "", ""));

        assertThat(same).isEqualTo(one.equals(other));
    }

    @Test
    void seesThatAFieldWentFromOneCityToAnother() {
        City one = City.of("CH", "a", "1", "1", "x", "");
        City other = City.of("CH", "b", "1", "1", "y", "");
        City swapped = City.of("CH", "a", "1", "1", "y", "");
        City swappedToo = City.of("CH", "b", "1", "1", "x", "");

        assertThat(tally(List.of(one, other)).differences(tally(List.of(swapped, swappedToo))))
                .hasSize(1);
    }

    @Test
    void seesACityThatIsMissingThereTwiceOrInAnotherCountry() {
        City other = City.of("FR", "Paris", "1", "1", "", "");
        CityTally source = tally(List.of(CITY, other));

        assertThat(source.differences(tally(List.of(CITY))))
                .hasSize(3)
                .contains("entities: 1, not 2", "entities of FR: 0, not 1");
        assertThat(source.differences(tally(List.of(CITY, other, CITY))))
                .hasSize(3)
                .contains("entities: 3, not 2", "entities of CH: 2, not 1");
        assertThat(source.differences(tally(List.of(other, other))))
                .hasSize(3)
                .contains("entities of CH: 0, not 1", "entities of FR: 2, not 1");
    }

    @Test
    void countsEntitiesAndCountries() {
        CityTally tally = tally(List.of(CITY, CITY, City.of("FR", "Paris", "1", "1", "", "")));

        assertThat(tally.total()).isEqualTo(3);
        assertThat(tally.countries()).isEqualTo(2);
    }

    private static CityTally tally(List<City> cities) {
        CityTally tally = new CityTally();
        cities.forEach(tally::add);
        return tally;
    }
}
