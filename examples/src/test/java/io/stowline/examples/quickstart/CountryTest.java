package io.stowline.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class CountryTest {

    @Property
    void givesBackWhatWasPutIn(
            @ForAll List<String> names, @ForAll double latitude, @ForAll double longitude, @ForAll String region) {
        Country country = new Country("XX");
        List<City> cities = names.stream()
                .map(name -> new City("XX", "key of " + name, name, latitude, longitude, region, name))
                .toList();
        cities.forEach(country::add);

        List<City> seen = new ArrayList<>();
        country.forEach(seen::add);

        assertThat(seen).isEqualTo(cities);
        assertThat(country.size()).isEqualTo(cities.size());
    }

    @Test
    void isReadInPieces() {
        Country.Cursor cursor = Cities.country("XX", 5).cursor();

        assertThat(cursor.next(3))
                .containsExactly(Cities.number("XX", 0), Cities.number("XX", 1), Cities.number("XX", 2));
        assertThat(cursor.hasNext()).isTrue();
        assertThat(cursor.next(3)).containsExactly(Cities.number("XX", 3), Cities.number("XX", 4));
        assertThat(cursor.hasNext()).isFalse();
        assertThat(cursor.next(3)).isEmpty();
        assertThatThrownBy(cursor::next).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void hasCursorsThatDoNotDisturbOneAnother() {
        Country country = Cities.country("XX", 2);
        Country.Cursor one = country.cursor();
        Country.Cursor other = country.cursor();

        assertThat(one.next()).isEqualTo(Cities.number("XX", 0));
        assertThat(other.next()).isEqualTo(Cities.number("XX", 0));
        assertThat(one.next()).isEqualTo(Cities.number("XX", 1));
    }

    @Test
    void refusesATextThatIsTooLong() {
        City city = City.of("XX", "a".repeat(70_000), "1", "1", "", "");

        assertThatThrownBy(() -> new Country("XX").add(city)).hasMessageContaining("XX");
    }
}
