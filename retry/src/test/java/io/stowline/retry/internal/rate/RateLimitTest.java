package io.stowline.retry.internal.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.retry.ManualTimer;
import io.stowline.retry.Receiver;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

class RateLimitTest {

    private final ManualTimer clock = new ManualTimer();
    private final RateLimit limit = RateLimit.perSecond(10, 5, RefillClock.steady(clock));
    private final List<String> passed = new ArrayList<>();

    private Disposable acquire(String name, double weight) {
        return limit.acquire(weight, Deadline.in(Duration.ofMinutes(1), clock))
                .subscribe(none -> {}, error -> passed.add(name + " failed"), () -> passed.add(name));
    }

    private Receiver<Void> acquireWithin(double weight, Duration left) {
        Receiver<Void> receiver = new Receiver<>();
        limit.acquire(weight, Deadline.in(left, clock)).subscribe(receiver);
        return receiver;
    }

    @Test
    void passesAtOnceWithoutATimer() {
        for (int i = 0; i < 5; i++) {
            acquire("op " + i, 1);
        }

        assertThat(passed).hasSize(5);
        assertThat(clock.started()).isZero();
        assertThat(limit.available()).isZero();
        assertThat(limit).hasToString("RateLimit[10.0 per second, burst 5.0]");
    }

    @Test
    void takesNothingBeforeItIsSubscribedTo() {
        limit.acquire(5, Deadline.in(Duration.ofMinutes(1), clock));

        assertThat(limit.available()).isEqualTo(5);
    }

    @Test
    @DisplayName("PERMIT-4: requests wait in the order of their coming, whatever their weight, and nobody is overtaken")
    void waitsInOrder() {
        acquire("first", 5);
        acquire("heavy", 4);
        acquire("light", 1);

        clock.advance(Duration.ofMillis(399));
        acquire("late", 0.5);
        assertThat(passed).containsExactly("first");
        assertThat(limit.waiting()).isEqualTo(3);
        clock.advance(Duration.ofMillis(1));
        assertThat(passed).containsExactly("first", "heavy");
        clock.advance(Duration.ofMillis(100));
        assertThat(passed).containsExactly("first", "heavy", "light");
        clock.advance(Duration.ofMillis(50));
        assertThat(passed).containsExactly("first", "heavy", "light", "late");
        assertThat(clock.running()).isZero();
    }

    @Test
    void oneTimerServesAllWhoWait() {
        acquire("first", 5);
        for (int i = 0; i < 100; i++) {
            acquire("op " + i, 1);
        }

        assertThat(clock.running()).isEqualTo(1);
    }

    @Test
    void aWeightAboveTheBurstIsPaidAfterwards() {
        acquire("huge", 25);
        assertThat(passed).containsExactly("huge");
        assertThat(limit.available()).isEqualTo(-20);
        acquire("next", 5);
        acquire("huge again", 6);

        clock.advance(Duration.ofMillis(2_499));
        assertThat(passed).containsExactly("huge");
        clock.advance(Duration.ofMillis(1));
        assertThat(passed).containsExactly("huge", "next");
        clock.advance(Duration.ofMillis(499));
        assertThat(passed).hasSize(2);
        clock.advance(Duration.ofMillis(1));
        assertThat(passed).containsExactly("huge", "next", "huge again");
    }

    @Test
    @DisplayName("PERMIT-4: a wait beyond the deadline fails at once, says why and takes nothing")
    void failsAtOnceBeyondTheDeadline() {
        acquire("first", 5);
        Receiver<Void> waiting = acquireWithin(2, Duration.ofMillis(200));

        Receiver<Void> failed = acquireWithin(3, Duration.ofMillis(499));

        assertThat(failed.error())
                .isInstanceOfSatisfying(RateTimeoutException.class, error -> assertThat(error.needed())
                        .isEqualTo(Duration.ofMillis(500)))
                .hasMessage("the rate limit of 10.0 per second (burst 5.0) can let weight 3.0 through in PT0.5S"
                        + " but only PT0.499S are left");
        assertThat(limit.waiting()).isEqualTo(1);
        clock.advance(Duration.ofMillis(200));
        assertThat(waiting.completed()).isTrue();
        assertThat(acquireWithin(3, Duration.ofMillis(300)).empty()).isTrue();
    }

    @Test
    void knowsTheWaitBehindAWeightAboveTheBurst() {
        acquire("first", 5);
        acquire("huge", 25);

        assertThat(acquireWithin(1, Duration.ofMillis(2_599)).error()).hasMessageContaining("in PT2.6S");
        Receiver<Void> fitting = acquireWithin(1, Duration.ofMillis(2_600));
        clock.advance(Duration.ofMillis(2_599));
        assertThat(fitting.completed()).isFalse();
        clock.advance(Duration.ofMillis(1));
        assertThat(fitting.completed()).isTrue();
    }

    @Test
    @DisplayName("PERMIT-4: a cancel while waiting takes nothing, and those behind move up")
    void cancelMovesTheLineUp() {
        acquire("first", 5);
        Disposable second = acquire("second", 5);
        acquire("third", 1);

        second.dispose();
        clock.advance(Duration.ofMillis(100));

        assertThat(passed).containsExactly("first", "third");
        assertThat(limit.waiting()).isZero();
        acquire("fourth", 1).dispose();
        assertThat(clock.running()).isZero();
        clock.advance(Duration.ofMillis(500));
        assertThat(limit.available()).isEqualTo(5);
    }

    @Test
    void refundServesThoseWhoWait() {
        acquire("first", 5);
        acquire("second", 5);

        limit.refund(4);
        clock.advance(Duration.ofMillis(99));
        assertThat(passed).containsExactly("first");
        clock.advance(Duration.ofMillis(1));

        assertThat(passed).containsExactly("first", "second");
    }

    @Test
    void refundNeverExceedsTheBurst() {
        limit.refund(100);

        assertThat(limit.available()).isEqualTo(5);
    }

    @Test
    void aRefundByOneWhoPassesDoesNotGrowTheStack() {
        RateLimit still = RateLimit.perSecond(0.001, 1, RefillClock.steady(clock));
        Deadline deadline = Deadline.in(Duration.ofDays(300), clock);
        List<Integer> done = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            int number = i;
            still.acquire(1, deadline).subscribe(none -> {}, null, () -> {
                done.add(number);
                still.refund(1);
            });
        }
        clock.advance(Duration.ZERO);

        assertThat(done).hasSize(20_000).isSorted();
    }

    @Test
    void aClockThatIsShutDownFailsTheWait() {
        acquire("first", 5);
        clock.refuse();

        assertThat(acquireWithin(1, Duration.ofMinutes(1)).error()).hasMessage("the timer is shut down");
        assertThat(limit.waiting()).isZero();
    }

    @Test
    void refusesBadFigures() {
        assertThatThrownBy(() -> RateLimit.perSecond(0, 1, RefillClock.steady(clock)))
                .hasMessage("rate must be between 0.001 and 1.0E12 but was 0.0");
        assertThatThrownBy(() -> RateLimit.perSecond(Double.NaN, 1, RefillClock.steady(clock)))
                .hasMessageContaining("but was NaN");
        assertThatThrownBy(() -> RateLimit.perSecond(1, -1, RefillClock.steady(clock)))
                .hasMessage("burst must be between 0.0 and 86400.0 but was -1.0");
        Deadline deadline = Deadline.in(Duration.ofSeconds(1), clock);
        assertThatThrownBy(() -> limit.acquire(-1, deadline))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("weight must be between 0.0 and 864000.0 but was -1.0");
        assertThatThrownBy(() -> limit.refund(864_001)).hasMessageStartingWith("weight must be between");
    }
}
