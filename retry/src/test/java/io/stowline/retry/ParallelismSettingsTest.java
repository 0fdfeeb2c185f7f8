package io.stowline.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ParallelismSettingsTest {

    @Test
    void adaptsByDefault() {
        assertThat(ParallelismSettings.adaptive())
                .hasToString("ParallelismSettings[start=8, max=64, min=1, window=PT1S]");
        assertThat(ParallelismSettings.adaptive().adapts()).isTrue();
    }

    @Test
    void aFixedNumberDoesNotAdapt() {
        ParallelismSettings five = ParallelismSettings.fixed(5);

        assertThat(five.adapts()).isFalse();
        assertThat(five).hasToString("ParallelismSettings[start=5, max=5, min=5, window=PT1S]");
    }

    @Test
    void refusesNumbersOutOfRange() {
        ParallelismSettings.Builder builder = ParallelismSettings.builder();

        assertThatThrownBy(() -> ParallelismSettings.fixed(0))
                .hasMessage("permits must be between 1 and 100000 but was 0");
        assertThatThrownBy(() -> builder.start(0)).hasMessage("start must be between 1 and 100000 but was 0");
        assertThatThrownBy(() -> builder.max(100_001)).hasMessage("max must be between 1 and 100000 but was 100001");
        assertThatThrownBy(() -> builder.min(-1)).hasMessage("min must be between 1 and 100000 but was -1");
        assertThatThrownBy(() -> builder.window(Duration.ZERO))
                .hasMessage("window must be at least PT0.01S but was PT0S");
    }

    @Test
    void refusesNumbersThatDoNotFitTogether() {
        ParallelismSettings.Builder start = ParallelismSettings.builder().start(65);
        ParallelismSettings.Builder min = ParallelismSettings.builder().min(65);

        assertThatThrownBy(start::build).hasMessage("start must be between 1 and 64 but was 65");
        assertThatThrownBy(min::build).hasMessage("min must be at most max (64) but was 65");
    }
}
