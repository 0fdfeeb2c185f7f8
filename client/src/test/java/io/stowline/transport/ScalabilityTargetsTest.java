package io.stowline.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScalabilityTargetsTest {

    @Test
    @DisplayName("T1: the targets are those of the service's pages")
    void figures() {
        assertThat(rates(ScalabilityTargets.everywhere()))
                .containsExactly(20_000, 2_000, 2_000, 500, 60_000_000, 500, 60 * 1024 * 1024);
        assertThat(rates(ScalabilityTargets.largeRegions()))
                .containsExactly(40_000, 2_000, 2_000, 3_000, 60e9 / 8, 500, 60 * 1024 * 1024);
    }

    @Test
    void share() {
        assertThat(rates(ScalabilityTargets.everywhere().share(0.25)))
                .containsExactly(5_000, 500, 500, 125, 15_000_000, 125, 15 * 1024 * 1024);
    }

    @Test
    @DisplayName("a builder changes the rates that it names")
    void builder() {
        ScalabilityTargets own = ScalabilityTargets.everywhere().toBuilder()
                .accountEntities(1)
                .partitionEntities(2)
                .queueMessages(3)
                .blobRequests(4)
                .blobBytes(5)
                .pageBlobRequests(6)
                .pageBlobBytes(7)
                .rampOver(Duration.ofMinutes(5))
                .build();

        assertThat(rates(own)).containsExactly(1, 2, 3, 4, 5, 6, 7);
        assertThat(own)
                .isEqualTo(own.toBuilder().build())
                .hasSameHashCodeAs(own.toBuilder().build())
                .isNotEqualTo(own.toBuilder().pageBlobBytes(8).build())
                .hasToString("ScalabilityTargets[accountEntities=1.0, partitionEntities=2.0, queueMessages=3.0,"
                        + " blobRequests=4.0, blobBytes=5.0, pageBlobRequests=6.0, pageBlobBytes=7.0,"
                        + " rampOver=PT5M]");
        assertThat(own.share(0.5).rampOver()).isEqualTo(Duration.ofMinutes(5));
        assertThat(ScalabilityTargets.everywhere().rampOver()).isZero();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesWhatIsNoRate(double rate) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScalabilityTargets.everywhere().toBuilder().partitionEntities(rate))
                .withMessage("partitionEntities must be above 0 and finite but was " + rate);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScalabilityTargets.everywhere().share(rate))
                .withMessageContaining("part must be");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-1S", "PT0.999S", "PT24H1S"})
    void refusesWhatIsNoRamp(Duration duration) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScalabilityTargets.everywhere().toBuilder().rampOver(duration))
                .withMessage("rampOver must be PT1S to PT24H, or zero for none, but was " + duration);
    }

    private static double[] rates(ScalabilityTargets targets) {
        return new double[] {
            targets.accountEntities(),
            targets.partitionEntities(),
            targets.queueMessages(),
            targets.blobRequests(),
            targets.blobBytes(),
            targets.pageBlobRequests(),
            targets.pageBlobBytes()
        };
    }
}
