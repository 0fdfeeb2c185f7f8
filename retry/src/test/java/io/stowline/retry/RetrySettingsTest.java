package io.stowline.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RetrySettingsTest {

    @Test
    void defaultsAreTheDocumentedOnes() {
        RetrySettings settings = RetrySettings.defaults();

        assertThat(settings.backoff()).isEqualTo(Backoff.standard());
        assertThat(settings.retries()).isEqualTo(4);
        assertThat(settings.deadline()).isEqualTo(Duration.ofMinutes(2));
        assertThat(settings.serverTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.grace()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.attemptTimeout()).isEqualTo(Duration.ofSeconds(35));
        assertThat(settings.minAttempt()).isEqualTo(Duration.ofSeconds(1));
        assertThat(settings.reserve()).isEqualTo(Duration.ofSeconds(7));
        assertThat(settings)
                .hasToString("RetrySettings[backoff=Backoff[z=PT2S, zmin=PT0S, zmax=PT30S, spreadAtCap], retries=4,"
                        + " deadline=PT2M, serverTimeout=PT30S, grace=PT5S, attemptTimeout=PT35S,"
                        + " minAttempt=PT1S, reserve=PT7S]");
    }

    @Test
    void everyPresetBuildsWithTheDefaults() {
        assertThat(withBackoff(Backoff.article()).deadline()).isEqualTo(Duration.ofMinutes(6));
        assertThat(withBackoff(Backoff.interactive()).retries()).isEqualTo(4);
        assertThat(withBackoff(Backoff.fixed(Duration.ofSeconds(5))).deadline()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void theUsersDeadlineGoesBeforeTheBackoffs() {
        RetrySettings settings = RetrySettings.builder()
                .deadline(Duration.ofMinutes(10))
                .backoff(Backoff.article())
                .build();

        assertThat(settings.deadline()).isEqualTo(Duration.ofMinutes(10));
        assertThat(settings.toBuilder().backoff(Backoff.standard()).build().deadline())
                .isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void whatWasNeverSetFollowsTheBackoff() {
        RetrySettings article = withBackoff(Backoff.article());

        assertThat(article.toBuilder().backoff(Backoff.standard()).build().deadline())
                .isEqualTo(Duration.ofMinutes(2));
        assertThat(article.toBuilder().backoff(Backoff.none()).build().retries())
                .isZero();
    }

    @Test
    void noneMeansNoRetries() {
        assertThat(withBackoff(Backoff.none()).retries()).isZero();
        assertThat(RetrySettings.builder()
                        .retries(0)
                        .backoff(Backoff.none())
                        .build()
                        .retries())
                .isZero();
        RetrySettings.Builder contradiction = RetrySettings.builder().retries(3).backoff(Backoff.none());
        assertThatThrownBy(contradiction::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("retries must be 0 with Backoff[none] but was 3");
    }

    @Test
    @DisplayName("RETRY-5: a deadline alone is always enough: it cuts the ladder of retries")
    void aDeadlineAloneIsEnough() {
        for (long millis : new long[] {1, 10, 500, 1_000, 5_000, 58_000}) {
            Duration deadline = Duration.ofMillis(millis);
            RetrySettings settings = RetrySettings.builder().deadline(deadline).build();

            assertThat(settings.retries()).isEqualTo(4);
            assertThat(settings.minAttempt().plus(settings.reserve())).isLessThanOrEqualTo(deadline);
        }
        assertThat(withBackoff(Backoff.article()).toBuilder()
                        .deadline(Duration.ofSeconds(2))
                        .build()
                        .minAttempt())
                .isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    @DisplayName("RETRY-5: the reserve follows the attempt's time, and is at most a quarter of the deadline")
    void theReserveIsDerived() {
        assertThat(RetrySettings.builder()
                        .attemptTimeout(Duration.ofSeconds(10))
                        .build()
                        .reserve())
                .isEqualTo(Duration.ofSeconds(2));
        assertThat(RetrySettings.builder()
                        .deadline(Duration.ofSeconds(4))
                        .build()
                        .reserve())
                .isEqualTo(Duration.ofSeconds(1));
        assertThat(RetrySettings.builder()
                        .deadline(Duration.ofSeconds(4))
                        .minAttempt(Duration.ofMillis(3_500))
                        .build()
                        .reserve())
                .isEqualTo(Duration.ofMillis(500));
        assertThat(RetrySettings.builder().reserve(Duration.ZERO).build().reserve())
                .isZero();
        assertThat(RetrySettings.defaults().withoutReserve().reserve()).isZero();
        RetrySettings brief = RetrySettings.builder()
                .serverTimeout(Duration.ofSeconds(2))
                .grace(Duration.ofMillis(1_500))
                .build();
        assertThat(brief.forReadBack().minAttempt()).isEqualTo(Duration.ofMillis(350));
        assertThat(brief.forReadBack().reserve()).isZero();
        assertThat(RetrySettings.defaults().forReadBack().minAttempt()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    @DisplayName("RETRY-5: build() refuses only what can never work, and names the remedy")
    void refusesWhatCanNeverWork() {
        RetrySettings.Builder builder =
                RetrySettings.builder().deadline(Duration.ofSeconds(10)).reserve(Duration.ofSeconds(10));

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("deadline PT10S leaves no time for an attempt: minAttempt PT1S and reserve PT10S take"
                        + " PT11S; set a longer deadline, or a shorter minAttempt or reserve");
        assertThat(builder.reserve(Duration.ofMillis(9_500)).build().minAttempt())
                .isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void refusesADeadlineBelowOneAttempt() {
        RetrySettings.Builder builder = RetrySettings.builder()
                .retries(0)
                .deadline(Duration.ofMillis(500))
                .minAttempt(Duration.ofMillis(501));

        assertThatThrownBy(builder::build).hasMessageContaining("minAttempt PT0.501S");
    }

    @Test
    void everySetterChecksAtOnce() {
        RetrySettings.Builder builder = RetrySettings.builder();
        Duration negative = Duration.ofSeconds(-1);

        assertThatThrownBy(() -> builder.retries(-1)).hasMessage("retries must be between 0 and 10000 but was -1");
        assertThatThrownBy(() -> builder.retries(10_001))
                .hasMessage("retries must be between 0 and 10000 but was 10001");
        assertThatThrownBy(() -> builder.deadline(Duration.ZERO))
                .hasMessage("deadline must be at least PT0.001S but was PT0S");
        assertThatThrownBy(() -> builder.serverTimeout(Duration.ofMillis(999)))
                .hasMessage("serverTimeout must be at least PT1S but was PT0.999S");
        assertThatThrownBy(() -> builder.grace(negative)).hasMessage("grace must be at least PT0S but was PT-1S");
        assertThatThrownBy(() -> builder.attemptTimeout(Duration.ofNanos(999_999)))
                .hasMessage("attemptTimeout must be at least PT0.001S but was PT0.000999999S");
        assertThatThrownBy(() -> builder.minAttempt(Duration.ZERO))
                .hasMessage("minAttempt must be at least PT0.001S but was PT0S");
        assertThatThrownBy(() -> builder.reserve(negative)).hasMessage("reserve must be at least PT0S but was PT-1S");
        assertThatThrownBy(() -> builder.backoff(null)).hasMessage("backoff");
        assertThatThrownBy(() -> builder.deadline(null)).hasMessage("deadline");
    }

    @Test
    @DisplayName("RETRY-5: an attempt's time follows the server's time and the grace until it is set")
    void attemptTimeoutFollowsTheServersTime() {
        RetrySettings.Builder builder =
                RetrySettings.builder().serverTimeout(Duration.ofSeconds(10)).grace(Duration.ofSeconds(2));

        assertThat(builder.build().attemptTimeout()).isEqualTo(Duration.ofSeconds(12));
        assertThat(builder.build().toBuilder()
                        .grace(Duration.ofSeconds(4))
                        .build()
                        .attemptTimeout())
                .isEqualTo(Duration.ofSeconds(14));
        assertThat(builder.attemptTimeout(Duration.ofMillis(1)).build().attemptTimeout())
                .isEqualTo(Duration.ofMillis(1));
    }

    @Test
    @DisplayName("RETRY-5: a read-back has the time that is kept in reserve for it")
    void withoutReserveKeepsAllElse() {
        RetrySettings settings = RetrySettings.builder()
                .retries(2)
                .grace(Duration.ofSeconds(3))
                .reserve(Duration.ofSeconds(10))
                .build();
        RetrySettings without = settings.withoutReserve();

        assertThat(without.reserve()).isZero();
        assertThat(without)
                .hasToString(settings.toBuilder().reserve(Duration.ZERO).build().toString());
        assertThat(settings.withoutReserve()).isSameAs(without);
        assertThat(without.withoutReserve()).isSameAs(without);
        assertThat(settings.reserve()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void aBuilderUsedAgainDoesNotChangeWhatItBuilt() {
        RetrySettings.Builder builder = RetrySettings.builder().retries(1);
        RetrySettings built = builder.build();

        builder.retries(2).grace(Duration.ofSeconds(9));
        built.toBuilder().retries(3);

        assertThat(built.retries()).isEqualTo(1);
        assertThat(built.grace()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void toBuilderKeepsEverything() {
        RetrySettings settings = RetrySettings.builder()
                .backoff(Backoff.interactive())
                .retries(2)
                .deadline(Duration.ofSeconds(20))
                .serverTimeout(Duration.ofSeconds(7))
                .grace(Duration.ofSeconds(3))
                .attemptTimeout(Duration.ofSeconds(8))
                .minAttempt(Duration.ofSeconds(2))
                .reserve(Duration.ofSeconds(4))
                .build();

        assertThat(settings.toBuilder().build()).hasToString(settings.toString());
    }

    private static RetrySettings withBackoff(Backoff backoff) {
        return RetrySettings.builder().backoff(backoff).build();
    }
}
