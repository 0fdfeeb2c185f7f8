package io.stowline.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CitySampleTest {

    @Test
    void isTokyoAndTheSaintsOfTheUnitedStates() {
        Atlas atlas = Cities.atlas(Map.of("JP", 2, "US", 3, "ZZ", 9));
        City tokyo = City.of("JP", "Tokyo", "35.6895", "139.69171", "40", "");
        atlas.add(tokyo);
        atlas.add(City.of("US", "San Antonio", "29.42412", "-98.49363", "TX", "029"));
        atlas.add(City.of("US", "San Jose", "37.33939", "-121.89496", "CA", "085"));
        atlas.add(City.of("US", "Santa Ana", "33.74557", "-117.86783", "CA", "059"));

        assertThat(CitySample.of(atlas)).isEqualTo(new CitySample(tokyo, "US", "San ", 2));
    }

    @Test
    void isOfTheLargestCountryWhereThoseAreMissing() {
        Atlas atlas = Cities.atlas(Map.of("JP", 2, "US", 1));
        atlas.add(City.of("AD", "Sant Julia", "1", "1", "", ""));
        atlas.add(City.of("AD", "Santa Coloma", "1", "1", "", ""));
        atlas.add(City.of("AD", "Ordino", "1", "1", "", ""));

        assertThat(CitySample.of(atlas))
                .isEqualTo(new CitySample(City.of("AD", "Sant Julia", "1", "1", "", ""), "AD", "Sant", 2));
    }

    @Test
    void needsACity() {
        assertThatIllegalArgumentException().isThrownBy(() -> CitySample.of(new Atlas()));
    }
}
