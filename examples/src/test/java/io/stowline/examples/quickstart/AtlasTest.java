package io.stowline.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class AtlasTest {

    private final Atlas atlas = Cities.atlas(Map.of("AA", 100, "BB", 201, "CC", 1));

    @Test
    void sortsCitiesByCountry() {
        assertThat(atlas.countries()).extracting(Country::code).containsExactly("AA", "BB", "CC");
        assertThat(atlas.country("BB").orElseThrow().size()).isEqualTo(201);
        assertThat(atlas.country("DD")).isEmpty();
    }

    @Test
    void knowsTheLargestCountry() {
        assertThat(atlas.largest()).map(Country::code).contains("BB");
        assertThat(new Atlas().largest()).isEmpty();
    }

    @Test
    void countsWhatIsPutIn() {
        assertThat(atlas.tally().total()).isEqualTo(302);
        assertThat(atlas.tally().countries()).isEqualTo(3);
    }

    @Test
    void knowsThePerfectPacking() {
        assertThat(atlas.fewestRequests(100)).isEqualTo(1 + 3 + 1);
        assertThat(atlas.fewestRequests(1)).isEqualTo(302);
        assertThat(new Atlas().fewestRequests(100)).isZero();
    }
}
