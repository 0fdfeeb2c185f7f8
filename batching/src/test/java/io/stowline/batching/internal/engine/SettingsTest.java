package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SettingsTest {

    private static void refused(ThrowingCallable setter, String name, Object value) {
        assertThatThrownBy(setter)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(String.valueOf(value));
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
        TestSettings small =
                TestSettings.builder().bufferItems(800).bufferBytes(8_000).build();
        TestSettings large =
                TestSettings.builder().bufferItems(8_000).bufferBytes(80_000).build();
        assertThat(WriterBuffer.laneItems(small)).isEqualTo(200);
        assertThat(WriterBuffer.laneBytes(small, 4_000)).isEqualTo(4_000);
        assertThat(WriterBuffer.laneItems(large)).isEqualTo(1_000);
        assertThat(WriterBuffer.laneBytes(large, 4_000)).isEqualTo(10_000);
    }
}
