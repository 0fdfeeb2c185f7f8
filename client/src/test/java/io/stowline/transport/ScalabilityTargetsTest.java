package io.stowline.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScalabilityTargetsTest {

    @Test
    @DisplayName("T1: the targets are those of the service's pages")
    void figures() {
        assertThat(ScalabilityTargets.everywhere())
                .isEqualTo(new ScalabilityTargets(20_000, 2_000, 2_000, 500, 60_000_000, 500, 60 * 1024 * 1024));
        assertThat(ScalabilityTargets.largeRegions().accountEntities()).isEqualTo(40_000);
        assertThat(ScalabilityTargets.largeRegions().blobRequests()).isEqualTo(3_000);
    }

    @Test
    void share() {
        assertThat(ScalabilityTargets.everywhere().share(0.25))
                .isEqualTo(new ScalabilityTargets(5_000, 500, 500, 125, 15_000_000, 125, 15 * 1024 * 1024));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesWhatIsNoRate(double rate) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ScalabilityTargets(1, rate, 1, 1, 1, 1, 1))
                .withMessage("partitionEntities must be above 0 and finite but was " + rate);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScalabilityTargets.everywhere().share(rate))
                .withMessageContaining("part must be");
    }
}
