package io.stowline.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.projection.EntityType;
import org.junit.jupiter.api.Test;

class CityTest {

    @Test
    void hasNameAndPlaceInItsKey() {
        City city = City.of("CH", "Biel/Bienne", "47.13713", "7.24608", "BE", "242");

        assertThat(city)
                .isEqualTo(new City(
                        "CH", "Biel!2FBienne|47.13713|7.24608", "Biel/Bienne", 47.13713, 7.24608, "BE", "242"));
    }

    @Test
    void keepsThePlaceAsTheSourceHasIt() {
        assertThat(City.of("CH", "a", "1.50", "0.0001", "", "").key()).isEqualTo("a|1.50|0.0001");
        assertThat(City.of("CH", "a", "1.5", "0.0001", "", "").key()).isEqualTo("a|1.5|0.0001");
    }

    @Test
    void tellsCitiesOfOneNameAndRegionApart() {
        City one = City.of("AR", "San Pedro", "-24.23", "-64.86", "10", "1");
        City other = City.of("AR", "San Pedro", "-33.67", "-59.66", "10", "1");

        assertThat(one.key()).isNotEqualTo(other.key());
    }

    @Test
    void refusesAPlaceThatIsNoNumber() {
        assertThatExceptionOfType(NumberFormatException.class)
                .isThrownBy(() -> City.of("CH", "a", "north", "1", "", ""))
                .withMessageContaining("north");
    }

    @Test
    void isMappedWithItsPart() {
        assertThat(EntityType.of(City.class)).isNotNull();
        assertThat(EntityType.of(Place.class)).isNotNull();
    }
}
