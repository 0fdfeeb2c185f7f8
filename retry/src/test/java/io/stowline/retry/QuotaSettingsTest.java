package io.stowline.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class QuotaSettingsTest {

    @Test
    void defaultsAreTheDocumentedOnes() {
        assertThat(QuotaSettings.defaults())
                .hasToString("QuotaSettings[capacity=500, transientCost=10, throttledCost=5, refillPerSecond=50]");
    }

    @Test
    @DisplayName("RETRY-6: the quota does not slow the client's largest parallelism down on the default ladder")
    void defaultsCoverTheLargestParallelism() {
        QuotaSettings quota = QuotaSettings.defaults();
        RetrySettings ladder = RetrySettings.defaults();
        long seconds = 2 + 6 + 14 + 30;

        assertThat(64 * ladder.retries() * quota.transientCost())
                .isEqualTo(2_560)
                .isLessThan((int) (quota.capacity() + quota.refillPerSecond() * seconds));
    }

    @Test
    void builderKeepsWhatIsSet() {
        QuotaSettings settings = QuotaSettings.builder()
                .capacity(20)
                .transientCost(4)
                .throttledCost(3)
                .refillPerSecond(2)
                .build();

        assertThat(settings.capacity()).isEqualTo(20);
        assertThat(settings.transientCost()).isEqualTo(4);
        assertThat(settings.throttledCost()).isEqualTo(3);
        assertThat(settings.refillPerSecond()).isEqualTo(2);
    }

    @Test
    void everySetterChecksAtOnce() {
        QuotaSettings.Builder builder = QuotaSettings.builder();

        assertThatThrownBy(() -> builder.capacity(0)).hasMessage("capacity must be between 1 and 1000000 but was 0");
        assertThatThrownBy(() -> builder.transientCost(-1))
                .hasMessage("transientCost must be between 1 and 1000000 but was -1");
        assertThatThrownBy(() -> builder.throttledCost(0))
                .hasMessage("throttledCost must be between 1 and 1000000 but was 0");
        assertThatThrownBy(() -> builder.refillPerSecond(0))
                .hasMessage("refillPerSecond must be between 1 and 1000000 but was 0");
    }

    @Test
    void refusesARetryThatCouldNeverBePaid() {
        assertThatThrownBy(() -> QuotaSettings.builder().capacity(9).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("transientCost must be between 1 and 9 but was 10");
        assertThatThrownBy(() -> QuotaSettings.builder().throttledCost(501).build())
                .hasMessage("throttledCost must be between 1 and 500 but was 501");
    }

    @Test
    @DisplayName("RETRY-6: the capacity follows the parallelism: one reset of every connection never empties it")
    void theCapacityFollowsTheParallelism() {
        for (int parallelism : new int[] {1, 20, 64, 1_000}) {
            QuotaSettings sized = QuotaSettings.defaults().sizedFor(parallelism);
            assertThat(sized.capacity())
                    .isGreaterThanOrEqualTo(500)
                    .isGreaterThan((parallelism + 1) * sized.transientCost());
        }
        assertThat(QuotaSettings.builder()
                        .transientCost(30)
                        .build()
                        .sizedFor(64)
                        .capacity())
                .isEqualTo(3_900);
        assertThat(QuotaSettings.builder().capacity(50).build().sizedFor(64).capacity())
                .isEqualTo(50);
    }
}
