package io.stowline.retry.internal.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.retry.ManualTimer;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RateLimitsTest {

    private static final int KEYS = Integer.getInteger("stowline.explore", 1) > 1 ? 1_000_000 : 100_000;

    private final ManualTimer clock = new ManualTimer();
    private final RateLimits<String> limits = RateLimits.perSecond(10, 5, RefillClock.steady(clock));
    private final List<String> passed = new ArrayList<>();

    private void acquire(String key, double weight) {
        limits.acquire(key, weight, Deadline.in(Duration.ofMinutes(1), clock))
                .subscribe(none -> {}, error -> passed.add(key + " failed"), () -> passed.add(key));
    }

    /** These limits weigh nothing, so that none is left a moment later. */
    private void sweep() {
        for (int i = 0; i < 2_000; i++) {
            acquire("idle " + i, 0);
        }
        passed.clear();
    }

    @Test
    @DisplayName("PERMIT-4: each key has its own limit")
    void keysAreIndependent() {
        acquire("a", 5);
        acquire("a", 1);
        acquire("b", 5);
        assertThat(passed).containsExactly("a", "b");

        clock.advance(Duration.ofMillis(100));

        assertThat(passed).containsExactly("a", "b", "a");
        assertThat(limits.size()).isEqualTo(2);
        assertThat(limits).hasToString("RateLimits[10.0 per second, burst 5.0, keys 2]");
    }

    @Test
    @DisplayName("BATCH-6: keys without number do not grow the heap, and there is no timer per key")
    void keysAreNotKept() {
        int max = 0;
        for (int i = 0; i < KEYS; i++) {
            acquire("key " + i, 1);
            clock.stall(Duration.ofMillis(1));
            max = Math.max(max, limits.size());
        }

        assertThat(max).isLessThanOrEqualTo(1_100);
        assertThat(passed).hasSize(KEYS);
        assertThat(clock.started()).isZero();
    }

    @Test
    @DisplayName("BATCH-6: a peak of keys in use is forgotten when they are idle, though no new key comes")
    void aPeakIsForgotten() {
        for (int i = 0; i < 50_000; i++) {
            acquire("key " + i, 1);
        }
        assertThat(limits.size()).isEqualTo(50_000);
        clock.stall(Duration.ofSeconds(1));

        for (int i = 0; i < 50_000; i++) {
            acquire("key 7", 0);
        }

        assertThat(limits.size()).isEqualTo(1);
    }

    @Test
    void aKeyInUseIsNeverForgotten() {
        acquire("busy", 4);
        sweep();
        acquire("busy", 5);
        sweep();
        assertThat(passed).isEmpty();

        clock.advance(Duration.ofMillis(399));
        assertThat(passed).isEmpty();
        clock.advance(Duration.ofMillis(1));
        assertThat(passed).containsExactly("busy");
    }

    @Test
    void aKeyForWhichSomebodyWaitsIsNeverForgotten() {
        acquire("busy", 5);
        acquire("busy", 5);
        clock.stall(Duration.ofSeconds(10));
        sweep();
        acquire("busy", 5);
        acquire("busy", 1);

        clock.advance(Duration.ZERO);

        assertThat(passed).containsExactly("busy");
        clock.advance(Duration.ofMillis(600));
        assertThat(passed).containsExactly("busy", "busy", "busy");
    }

    @Test
    void refundsAKeyThatIsKnownAndOneThatIsNot() {
        acquire("a", 5);
        limits.refund("a", 2);
        limits.refund("b", 2);
        acquire("a", 2);

        assertThat(passed).containsExactly("a", "a");
        assertThat(limits.size()).isEqualTo(1);
    }

    @Test
    void aMonoMadeBeforeTheKeyWasForgottenStillServes() {
        acquire("a", 5);
        var later = limits.acquire("a", 5, Deadline.in(Duration.ofMinutes(1), clock));
        clock.stall(Duration.ofSeconds(1));
        sweep();

        later.subscribe(none -> {}, null, () -> passed.add("later"));
        acquire("a", 1);

        assertThat(passed).containsExactly("later");
    }

    @Test
    void refusesBadFigures() {
        assertThatThrownBy(() -> RateLimits.perSecond(-1, 1, RefillClock.steady(clock)))
                .hasMessageStartingWith("rate must be between");
        Deadline deadline = Deadline.in(Duration.ofSeconds(1), clock);
        assertThatThrownBy(() -> limits.acquire("a", -1, deadline)).hasMessageStartingWith("weight must be between");
        assertThatThrownBy(() -> limits.acquire(null, 1, deadline)).hasMessage("key");
        assertThatThrownBy(() -> limits.refund("a", -1)).hasMessageStartingWith("weight must be between");
    }
}
