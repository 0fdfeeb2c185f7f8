package io.stowline.retry.internal.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.ManualTimer;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A bucket whose rate ramps up, under random claims, withdrawals, refunds and pauses. */
class RampPropertyTest {

    private static final long CAPACITY = 1_000;
    private static final Duration RAMP = Duration.ofMinutes(5);

    private final List<TokenRequest> waiting = new ArrayList<>();
    private final List<TokenRequest> held = new ArrayList<>();
    private final Map<TokenRequest, Long> due = new HashMap<>();
    private ManualTimer timer = new ManualTimer();
    private TokenBucket bucket = bucket(RAMP);
    private long ramp;
    private long began;
    private long active;
    private long passed;

    private TokenBucket bucket(Duration rampOver) {
        return new TokenBucket(CAPACITY, RefillClock.ramping(timer, rampOver));
    }

    private long now() {
        return timer.now(TimeUnit.NANOSECONDS);
    }

    @Property(tries = 500)
    @Label("PERMIT-3: what passes stays below the integral of the rate, each claim passes when it was promised to,"
            + " and an idle bucket admits")
    void staysBelowTheIntegral(@ForAll long seed, @ForAll @LongRange(min = CAPACITY, max = 100_000) long duration) {
        timer = new ManualTimer(seed);
        ramp = duration;
        bucket = bucket(Duration.ofNanos(duration));
        active = now() - duration;
        began = now();
        passed = 0;
        waiting.clear();
        held.clear();
        due.clear();
        Random random = new Random(seed);
        for (int step = 0; step < 300; step++) {
            act(random);
            assertThat(passed).isLessThanOrEqualTo((long) integral(now() - began) + 1);
        }
        timer.advance(Duration.ofNanos(11 * 40 * CAPACITY));
        assertThat(waiting).isEmpty();
        assertThat(timer.running()).as("alarms of an idle bucket").isZero();
        timer.advance(Duration.ofNanos(duration + 11 * CAPACITY));
        assertThat(bucket.tryTake(1)).as("a new ramp begins with nothing").isFalse();
        timer.advance(Duration.ofNanos(10));
        assertThat(bucket.tryTake(1)).as("idle implies admits").isTrue();
    }

    private void act(Random random) {
        switch (random.nextInt(6)) {
            case 0, 1 -> timer.advance(Duration.ofNanos(random.nextInt(random.nextInt(10) == 0 ? 100_000 : 2_000)));
            case 2, 3 -> enter(1 + random.nextInt((int) CAPACITY));
            case 4 -> {
                if (!waiting.isEmpty()) {
                    assertThat(waiting.remove(random.nextInt(waiting.size())).withdraw())
                            .isTrue();
                    active = now();
                }
            }
            default -> {
                if (!held.isEmpty()) {
                    TokenRequest refunded = held.remove(random.nextInt(held.size()));
                    passed -= refunded.cost();
                    refunded.giveBack();
                }
            }
        }
    }

    private void enter(long cost) {
        if (now() - active >= ramp && waiting.isEmpty()) {
            began = now();
            passed = 0;
        }
        active = now();
        TokenRequest claim = new TokenRequest(() -> bucket, cost);
        waiting.add(claim);
        long wait = claim.enter(Long.MAX_VALUE, () -> granted(claim));
        due.put(claim, now() + wait);
    }

    private void granted(TokenRequest claim) {
        assertThat(waiting.remove(claim)).isTrue();
        held.add(claim);
        passed += claim.cost();
        if (due.containsKey(claim)) {
            assertThat(due.get(claim) - now()).as("the promised wait").isNotNegative();
            active = now();
        }
    }

    private double integral(long elapsed) {
        return elapsed >= ramp ? 0.55 * ramp + elapsed - ramp : 0.1 * elapsed + 0.45 * elapsed / ramp * elapsed;
    }

    @Test
    @DisplayName("PERMIT-3: a ramp goes from a tenth to the whole rate, and begins again only after a pause as long")
    void rises() {
        timer = new ManualTimer(Long.MAX_VALUE - 5);
        RateLimit limit = RateLimit.perSecond(100, 100, RefillClock.ramping(timer, RAMP));
        timer.advance(Duration.ofHours(1));
        assertThat(passing(limit, 10)).as("the first seconds").isBetween(113, 115);
        timer.advance(Duration.ofSeconds(140));
        assertThat(passing(limit, 10)).as("half the way").isBetween(618, 621);
        timer.advance(RAMP.minusSeconds(1));
        assertThat(passing(limit, 10)).as("after a pause, and a full bucket").isBetween(1_099, 1_101);
        timer.advance(RAMP);
        assertThat(passing(limit, 10)).as("after a longer pause").isBetween(113, 115);
    }

    /** Asks for one token at a time. */
    private int passing(RateLimit limit, int seconds) {
        int count = 0;
        for (int millis = 0; millis < seconds * 1_000; millis++) {
            timer.advance(Duration.ofMillis(1));
            while (passes(limit)) {
                count++;
            }
        }
        return count;
    }

    private boolean passes(RateLimit limit) {
        return Boolean.TRUE.equals(limit.acquire(1, Deadline.in(Duration.ZERO, timer))
                .thenReturn(true)
                .onErrorReturn(false)
                .block());
    }

    @Test
    @DisplayName(
            "PERMIT-3: an idle bucket saves a second of the rate of the moment, and a claim that waits may need more")
    void savesLess() {
        timer = new ManualTimer();
        RateLimit limit = RateLimit.perSecond(1_000, 1_000, RefillClock.ramping(timer, RAMP));
        var deadline = Deadline.in(Duration.ofHours(1), timer);
        limit.acquire(0, deadline).block();
        timer.advance(Duration.ofSeconds(30));
        assertThat(limit.available()).isBetween(189.0, 190.1);

        List<String> done = new ArrayList<>();
        limit.acquire(800, deadline).doOnSuccess(nothing -> done.add("large")).subscribe();
        limit.acquire(1, deadline).doOnSuccess(nothing -> done.add("small")).subscribe();
        timer.advance(Duration.ofMillis(3_050));
        assertThat(done).as("610 of 190 a second").isEmpty();
        timer.advance(Duration.ofMillis(200));
        assertThat(done).containsExactly("large", "small");
    }

    @Test
    @DisplayName("PERMIT-4: a claim that waits longer than the ramp is not set back by a new one")
    void keepsItsPromise() {
        timer = new ManualTimer();
        bucket = bucket(Duration.ofNanos(100));
        new TokenRequest(() -> bucket, 50 * CAPACITY).enter(Long.MAX_VALUE, () -> {});
        timer.advance(Duration.ofNanos(2 * CAPACITY));
        List<String> done = new ArrayList<>();
        TokenRequest late = new TokenRequest(() -> bucket, 1);
        long wait = late.enter(Long.MAX_VALUE, () -> done.add("late"));
        timer.advance(Duration.ofNanos(wait / 2));
        bucket.tryTake(1);
        timer.advance(Duration.ofNanos(wait - wait / 2 - 1));
        assertThat(done).isEmpty();
        timer.advance(Duration.ofNanos(1));
        assertThat(done).containsExactly("late");
    }
}
