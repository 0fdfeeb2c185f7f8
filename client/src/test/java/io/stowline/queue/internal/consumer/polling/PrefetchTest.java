package io.stowline.queue.internal.consumer.polling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrefetchTest {

    private final Prefetch prefetch = new Prefetch(Duration.ofSeconds(30));

    @ParameterizedTest
    @CsvSource({"16, 10, 64", "1, 10, 64", "1, 500, 14", "16, 5000, 23", "1, 5000, 1", "1, 10000, 0", "16, 130000, 0"})
    @DisplayName("QUEUE-4: as many messages wait as are handled within a quarter of the lease")
    void limits(int atOnce, long millis, int limit) {
        for (int i = 0; i < 200; i++) {
            prefetch.measured(Duration.ofMillis(millis));
        }

        assertThat(prefetch.limit(atOnce)).isEqualTo(limit);
    }

    @ParameterizedTest
    @CsvSource({"1, 500, 7"})
    @DisplayName("QUEUE-4: one measurement is trusted half as much, and none not at all")
    void beginsCarefully(int atOnce, long millis, int limit) {
        assertThat(prefetch.limit(atOnce)).isZero();
        prefetch.measured(Duration.ofMillis(millis));
        assertThat(prefetch.limit(atOnce)).isEqualTo(limit);
        prefetch.reset();
        assertThat(prefetch.limit(atOnce)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"1, 100, 20000"})
    @DisplayName("QUEUE-4: one handling that takes long makes it careful")
    void fearsOutliers(int atOnce, long millis, long outlier) {
        for (int i = 0; i < 200; i++) {
            prefetch.measured(Duration.ofMillis(millis));
        }
        int before = prefetch.limit(atOnce);
        prefetch.measured(Duration.ofMillis(outlier));

        assertThat(prefetch.limit(atOnce)).isLessThan(before / 10);
    }
}
