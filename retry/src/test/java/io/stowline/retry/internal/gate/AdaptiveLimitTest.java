package io.stowline.retry.internal.gate;

import static io.stowline.retry.internal.gate.AdaptiveLimit.LimitReason.AT_MOST;
import static io.stowline.retry.internal.gate.AdaptiveLimit.LimitReason.GROWN;
import static io.stowline.retry.internal.gate.AdaptiveLimit.LimitReason.NOT_LIMITING;
import static io.stowline.retry.internal.gate.AdaptiveLimit.LimitReason.PROBED;
import static io.stowline.retry.internal.gate.AdaptiveLimit.LimitReason.PROBING;
import static io.stowline.retry.internal.gate.AdaptiveLimit.LimitReason.RAMPED;
import static io.stowline.retry.internal.gate.AdaptiveLimit.LimitReason.RESTED;
import static io.stowline.retry.internal.gate.AdaptiveLimit.LimitReason.SERVICE_SLOWER;
import static io.stowline.retry.internal.gate.AdaptiveLimit.LimitReason.SLOW;
import static io.stowline.retry.internal.gate.AdaptiveLimit.LimitReason.STARTED;
import static io.stowline.retry.internal.gate.AdaptiveLimit.LimitReason.THROTTLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.ParallelismSettings;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rows of what was seen in a window, and what the limit is after it; no clock anywhere. */
class AdaptiveLimitTest {

    private static final long MS = 1_000_000;
    private static final long WINDOW = 1_000 * MS;
    private static final ParallelismSettings SETTINGS = ParallelismSettings.adaptive();

    // 1 s after the probes' moment of the day, that the first window does not meet one
    private final AdaptiveLimit control = new AdaptiveLimit(SETTINGS, WINDOW);
    private long now;
    private boolean begun;

    /** Plays a window of a hundred attempts of this class, one response after the other. */
    private void window(Object latencyClass, int latencyMillis, int inFlight, boolean saturated) {
        if (!begun) {
            // begins the first window; the first responses of all do not count
            control.responded(now - latencyMillis * MS, now, inFlight, saturated, latencyClass);
            begun = true;
        }
        for (int i = 0; i < 100; i++) {
            now += WINDOW / 100;
            control.responded(now - latencyMillis * MS, now, inFlight, saturated, latencyClass);
        }
    }

    private void busy(int latencyMillis) {
        window("read", latencyMillis, control.limit(), true);
    }

    private void throttled() {
        control.throttled(now - 1, now, control.limit());
    }

    private void expect(int limit, AdaptiveLimit.LimitReason reason) {
        assertThat(control.limit() + " " + control.reason()).isEqualTo(limit + " " + reason);
    }

    private void rampedTo64() {
        for (int i = 0; i < 4; i++) {
            busy(5);
        }
        expect(64, AT_MOST);
    }

    @Test
    @DisplayName("PERMIT-3: doubles from window to window while it limits, up to the most")
    void rampsUp() {
        expect(8, STARTED);
        busy(5);
        expect(16, RAMPED);
        busy(5);
        expect(32, RAMPED);
        busy(5);
        expect(64, RAMPED);
        busy(5);
        expect(64, AT_MOST);
    }

    @Test
    @DisplayName("PERMIT-2: does not grow while it is not the thing that limits")
    void holdsWhenNotLimiting() {
        for (int i = 0; i < 20; i++) {
            window("read", 5, 3, false);
        }
        expect(8, NOT_LIMITING);
    }

    @Test
    @DisplayName("PERMIT-2: throttling cuts at once by a little, and grows by one from there")
    void firstThrottleCutsALittle() {
        rampedTo64();
        throttled();
        expect(54, THROTTLED);
        busy(5);
        expect(55, GROWN);
        busy(5);
        expect(56, GROWN);
    }

    @Test
    @DisplayName("PERMIT-2: one change per window, however many are throttled")
    void oneCutPerWindow() {
        rampedTo64();
        throttled();
        for (int i = 0; i < 50; i++) {
            now += MS;
            throttled();
        }
        expect(54, THROTTLED);
        now += WINDOW;
        throttled();
        // 51 of at least 54 were throttled: half.
        expect(27, THROTTLED);
    }

    @Test
    @DisplayName("PERMIT-2: what was sent before a cut does not cut again")
    void staleThrottlesDoNotCount() {
        rampedTo64();
        long sent = now - 1;
        throttled();
        now += 2 * WINDOW;
        for (int i = 0; i < 64; i++) {
            control.throttled(sent, now, 64);
        }
        expect(54, THROTTLED);
    }

    @Test
    @DisplayName("PERMIT-2: the floor is one")
    void floorIsOne() {
        for (int i = 0; i < 30; i++) {
            throttled();
            now += WINDOW + MS;
        }
        expect(1, THROTTLED);
    }

    @Test
    @DisplayName("PERMIT-2: a cut starts from what was in flight, not from a limit that nobody used")
    void cutsWhatWasInFlight() {
        rampedTo64();
        window("read", 5, 10, false);
        window("read", 5, 10, false);
        control.throttled(now - 1, now, 10);
        expect(8, THROTTLED);
    }

    @Test
    @DisplayName("PERMIT-2: latencies above the baseline cut the limit in proportion")
    void slowResponsesCut() {
        rampedTo64();
        busy(10);
        expect(32, SLOW);
        busy(5);
        expect(33, GROWN);
    }

    @Test
    @DisplayName("PERMIT-2: a little queueing is not slow for a small limit, but for a large one")
    void toleranceShrinksWithTheLimit() {
        busy(100);
        busy(126);
        expect(32, RAMPED);
        busy(126);
        expect(25, SLOW);
    }

    @Test
    @DisplayName("PERMIT-2: classes are compared with themselves: a change of the mix is no change of the latency")
    void mixOfClassesDoesNotMatter() {
        busy(5);
        window("batch of 100", 200, control.limit(), true);
        window("batch of 100", 200, control.limit(), true);
        busy(5);
        window("batch of 100", 200, control.limit(), true);
        assertThat(control.limit()).isEqualTo(64);
    }

    @Test
    @DisplayName("PERMIT-2: cuts that do not help are taken back: the service has become slower")
    void slowerService() {
        rampedTo64();
        busy(15);
        expect(32, SLOW);
        busy(15);
        expect(64, SERVICE_SLOWER);
    }

    @Test
    @DisplayName(
            "PERMIT-2: every 30 windows of the day the limit is halved for one, to see the latency without the queue")
    void probes() {
        rampedTo64();
        while (now < 29 * WINDOW) {
            busy(5);
        }
        expect(32, PROBING);
        busy(5);
        expect(64, PROBED);
    }

    @Test
    @DisplayName("PERMIT-3: after a rest of 30 windows work starts low again")
    void restsAndRampsAgain() {
        rampedTo64();
        control.wake(now + 29 * WINDOW);
        assertThat(control.limit()).isEqualTo(64);
        now += 30 * WINDOW;
        control.wake(now);
        expect(8, RESTED);
        busy(5);
        expect(16, RAMPED);
    }

    @Test
    @DisplayName("PERMIT-2: an attempt without a latency class moves the limit too")
    void worksWithoutLatencies() {
        for (int i = 0; i < 5; i++) {
            window(null, 5, control.limit(), true);
        }
        expect(64, AT_MOST);
    }

    @Test
    @DisplayName("PERMIT-2: a clock that starts just before it wraps makes no difference")
    void clockMayWrap() {
        now = Long.MAX_VALUE - 2 * WINDOW;
        rampedTo64();
        throttled();
        expect(54, THROTTLED);
    }

    private void responds(int number, int latencyMillis) {
        for (int i = 0; i < number; i++) {
            now += WINDOW / 100;
            control.responded(now - latencyMillis * MS, now, control.limit(), true, "read");
        }
    }

    @Test
    @DisplayName(
            "PERMIT-2: how long short responses are not looked at after a cut follows the latencies, not the first one"
                    + " of all")
    void deafnessFollowsTheLatencies() {
        control.responded(now - MS, now, 8, true, "read");
        begun = true;
        for (int i = 0; i < 4; i++) {
            busy(100);
        }
        throttled();
        int cut = control.limit();
        responds(28, 10);
        responds(72 + 100, 100);

        assertThat(control.limit()).isGreaterThan(cut);
        assertThat(control.reason()).isEqualTo(GROWN);
    }

    @Test
    @DisplayName("PERMIT-3: after a rest the latencies from before it are forgotten")
    void restForgetsTheWindow() {
        rampedTo64();
        responds(50, 500);
        now += 31 * WINDOW;
        control.wake(now);
        expect(8, RESTED);
        busy(5);
        expect(16, RAMPED);
    }

    @Test
    @DisplayName("PERMIT-2: a probe waits for a window after the last change")
    void aProbeWaitsForItsWindow() {
        rampedTo64();
        while (now < 28 * WINDOW) {
            busy(5);
        }
        responds(60, 5);
        throttled();
        responds(85, 5);
        assertThat(now).as("after the moment of the probe").isGreaterThan(29 * WINDOW);
        assertThat(control.reason()).isEqualTo(THROTTLED);

        responds(30, 5);
        assertThat(control.reason()).isEqualTo(PROBING);
    }
}
