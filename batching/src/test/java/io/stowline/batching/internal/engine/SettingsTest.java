package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.batching.BatcherSettings;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SettingsTest {

    private final BatcherSettings.Builder settings = BatcherSettings.builder();

    private static void refused(ThrowingCallable setter, String name, Object value) {
        assertThatThrownBy(setter)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(String.valueOf(value));
    }

    @Test
    @DisplayName("BATCH-7: the defaults are the stated ones")
    void hasDefaults() {
        BatcherSettings defaults = BatcherSettings.defaults();
        assertThat(defaults.linger()).isEqualTo(Duration.ZERO);
        assertThat(defaults.bufferItems()).isEqualTo(10_000);
        assertThat(defaults.bufferBytes()).isEqualTo(33_554_432);
        assertThat(defaults.submitTimeout()).isEqualTo(Duration.ofSeconds(60));
        assertThat(defaults.closeTimeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(defaults.coalesce()).isFalse();
        assertThat(defaults.stopEntityOnFailure()).isFalse();
        assertThat(defaults.callbacks()).isNull();
    }

    @Test
    void copiesEverySetting() {
        Executor executor = Runnable::run;
        BatcherSettings copy = settings
                .linger(Duration.ofMillis(1))
                .bufferItems(2)
                .bufferBytes(3)
                .submitTimeout(Duration.ofMillis(4))
                .closeTimeout(Duration.ofMillis(5))
                .coalesce(true)
                .stopEntityOnFailure(true)
                .callbacks(executor)
                .build()
                .toBuilder()
                .build();
        assertThat(copy.linger()).isEqualTo(Duration.ofMillis(1));
        assertThat(copy.bufferItems()).isEqualTo(2);
        assertThat(copy.bufferBytes()).isEqualTo(3);
        assertThat(copy.submitTimeout()).isEqualTo(Duration.ofMillis(4));
        assertThat(copy.closeTimeout()).isEqualTo(Duration.ofMillis(5));
        assertThat(copy.coalesce()).isTrue();
        assertThat(copy.stopEntityOnFailure()).isTrue();
        assertThat(copy.callbacks()).isSameAs(executor);
    }

    @Test
    void builtSettingsDoNotFollowTheirBuilder() {
        BatcherSettings built = settings.bufferItems(5).build();
        settings.bufferItems(6);
        built.toBuilder().bufferItems(7);
        assertThat(built.bufferItems()).isEqualTo(5);
    }

    @Test
    void refusesWhatIsOutOfRange() {
        refused(() -> settings.linger(Duration.ofMillis(-1)), "linger", "PT-0.001S");
        refused(() -> settings.linger(Duration.ofDays(2)), "linger", "PT48H");
        refused(() -> settings.bufferItems(0), "bufferItems", 0);
        refused(() -> settings.bufferBytes(0), "bufferBytes", 0);
        refused(() -> settings.submitTimeout(Duration.ZERO), "submitTimeout", "PT0S");
        refused(() -> settings.closeTimeout(Duration.ZERO), "closeTimeout", "PT0S");
    }

    @Test
    void refusesLimitsOutOfRange() {
        refused(() -> new Rig(given -> given.limits(0, 10, 0)), "maxItems", 0);
        refused(() -> new Rig(given -> given.limits(1, 0, 0)), "maxBytes", 0);
        refused(() -> new Rig(given -> given.limits(1, 10, 10)), "envelope", 10);
        refused(() -> new Rig(given -> given.limits(1, 10, -1)), "envelope", -1);
    }

    @Test
    void refusesEnginesOutOfRange() {
        refused(() -> new Rig(given -> given.maxBatchesInFlight(0)), "maxBatchesInFlight", 0);
        Rig rig = new Rig();
        refused(() -> rig.lanes.closeAsync(Duration.ofMillis(-1)), "timeout", "PT-0.001S");
    }

    @Test
    @DisplayName("BATCH-7: a lane's share is an eighth of the buffer, and at least 200 items and one full batch")
    void sharesTheBuffer() {
        BatcherSettings small = settings.bufferItems(800).bufferBytes(8_000).build();
        BatcherSettings large = settings.bufferItems(8_000).bufferBytes(80_000).build();
        assertThat(WriterBuffer.laneItems(small)).isEqualTo(200);
        assertThat(WriterBuffer.laneBytes(small, 4_000)).isEqualTo(4_000);
        assertThat(WriterBuffer.laneItems(large)).isEqualTo(1_000);
        assertThat(WriterBuffer.laneBytes(large, 4_000)).isEqualTo(10_000);
    }
}
