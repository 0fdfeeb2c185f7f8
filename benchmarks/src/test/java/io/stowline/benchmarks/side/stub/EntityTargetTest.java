package io.stowline.benchmarks.side.stub;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EntityTargetTest {

    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    @Test
    void entitiesWaitForTheirTurnAndARequestBeyondTheQueueIsRefused() {
        EntityTarget target = new EntityTarget(100);
        long now = System.nanoTime();

        assertThat(target.admit(50, now)).isEqualTo(500 * MS);
        assertThat(target.admit(50, now)).isEqualTo(1_000 * MS);
        assertThat(target.admit(1, now)).isEqualTo(1_010 * MS);
        assertThat(target.admit(1, now)).isEqualTo(EntityTarget.REFUSED);
        assertThat(target.admit(1, now + 20 * MS)).isEqualTo(1_000 * MS);
        assertThat(target.admit(1, now + 5_000 * MS)).isEqualTo(10 * MS);
    }

    @Test
    void withoutATargetNothingWaits() {
        EntityTarget target = new EntityTarget(0);

        assertThat(target.admit(1_000_000, System.nanoTime())).isZero();
    }
}
