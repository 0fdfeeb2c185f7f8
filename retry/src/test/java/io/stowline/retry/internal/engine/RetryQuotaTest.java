package io.stowline.retry.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.AttemptEnd.ThrottleScope;
import io.stowline.retry.ManualTimer;
import io.stowline.retry.QuotaSettings;
import io.stowline.retry.internal.rate.TokenRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RetryQuotaTest {

    private static final Verdict RESET = Verdict.retry("reset");
    private static final Verdict BUSY = Verdict.retry("503 ServerBusy").asThrottling(ThrottleScope.ACCOUNT);

    private final ManualTimer clock = new ManualTimer();
    private final RetryQuota quota = RetryQuota.of(QuotaSettings.defaults(), clock);

    @Test
    @DisplayName("RETRY-6: a transient retry costs 10, a throttled one 5, a remedied one nothing")
    void costsByTheVerdict() {
        assertThat(quota.available()).isEqualTo(500);
        assertThat(quota.capacity()).isEqualTo(500);

        assertThat(quota.claim(RESET).tryTake()).isTrue();
        assertThat(quota.available()).isEqualTo(490);
        assertThat(quota.claim(BUSY).tryTake()).isTrue();
        assertThat(quota.available()).isEqualTo(485);
        assertThat(quota.claim(Verdict.retryNow("refused")).tryTake()).isTrue();
        assertThat(quota.available()).isEqualTo(475);
        assertThat(quota.claim(Verdict.remedied("new token")).tryTake()).isTrue();
        assertThat(quota).hasToString("RetryQuota[475 of 500, waiting 0]");
    }

    @Test
    @DisplayName("RETRY-6: an empty quota gives nothing, but a remedied retry is free even then")
    void emptyGivesNothing() {
        drain();

        assertThat(quota.claim(BUSY).tryTake()).isFalse();
        assertThat(quota.available()).isZero();
        assertThat(quota.claim(Verdict.remedied("new token")).tryTake()).isTrue();
    }

    @Test
    @DisplayName("RETRY-6: a success gives one token back, or what its retry took")
    void successGivesBack() {
        drain();

        quota.succeeded(null);
        assertThat(quota.available()).isEqualTo(1);
        TokenRequest remedied = quota.claim(Verdict.remedied("new token"));
        remedied.tryTake();
        quota.succeeded(remedied);
        assertThat(quota.available()).isEqualTo(2);
        clock.stall(Duration.ofSeconds(1));
        TokenRequest retry = quota.claim(RESET);
        retry.tryTake();
        assertThat(quota.available()).isEqualTo(42);
        quota.succeeded(retry);
        quota.succeeded(retry);
        assertThat(quota.available()).isEqualTo(52);
    }

    @Test
    @DisplayName("RETRY-6: 50 tokens come with each second, up to the capacity")
    void refills() {
        drain();

        clock.stall(Duration.ofMillis(19));
        assertThat(quota.available()).isZero();
        clock.stall(Duration.ofMillis(1));
        assertThat(quota.available()).isEqualTo(1);
        clock.stall(Duration.ofSeconds(5));
        assertThat(quota.available()).isEqualTo(251);
        clock.stall(Duration.ofDays(300));
        assertThat(quota.available()).isEqualTo(500);
    }

    @Test
    @DisplayName(
            "RETRY-6: those who wait are served in their order, as soon as there are tokens, and are not overtaken")
    void waitersAreServedInOrder() {
        drain();
        List<String> served = new ArrayList<>();
        quota.claim(RESET).enter(Long.MAX_VALUE, () -> served.add("first"));
        quota.claim(BUSY).enter(Long.MAX_VALUE, () -> served.add("second"));

        clock.advance(Duration.ofMillis(199));
        assertThat(served).isEmpty();
        assertThat(quota.waiting()).isEqualTo(2);
        assertThat(quota.claim(BUSY).tryTake()).isFalse();
        clock.advance(Duration.ofMillis(1));
        assertThat(served).containsExactly("first");
        quota.succeeded(null);
        clock.advance(Duration.ofMillis(79));
        assertThat(served).containsExactly("first");
        clock.advance(Duration.ofMillis(1));
        assertThat(served).containsExactly("first", "second");
        assertThat(clock.running()).isZero();
    }

    @Test
    @DisplayName("RETRY-6: tokens that a success gives back serve those who wait at once")
    void successServesTheLine() {
        TokenRequest retry = quota.claim(RESET);
        retry.tryTake();
        drain();
        List<String> served = new ArrayList<>();
        quota.claim(RESET).enter(Long.MAX_VALUE, () -> served.add("first"));

        quota.succeeded(retry);
        assertThat(served).as("never inside the call that gives back").isEmpty();
        clock.advance(Duration.ZERO);

        assertThat(served).containsExactly("first");
    }

    @Test
    void unlimitedIsFreeForEver() {
        RetryQuota unlimited = RetryQuota.unlimited();
        for (int i = 0; i < 1_000; i++) {
            assertThat(unlimited.claim(RESET).tryTake()).isTrue();
        }
        unlimited.succeeded(null);

        assertThat(unlimited.available()).isEqualTo(Integer.MAX_VALUE);
        assertThat(unlimited.capacity()).isEqualTo(Integer.MAX_VALUE);
        assertThat(unlimited.waiting()).isZero();
        assertThat(unlimited).hasToString("RetryQuota[unlimited]");
    }

    @Property(tries = 300)
    @Label("RETRY-6: tokens are conserved: what was not given back is missing, and there are never more than the"
            + " capacity")
    void tokensAreConserved(
            @ForAll @Size(max = 200) List<@IntRange(max = 4) Integer> steps,
            @ForAll @IntRange(min = 10, max = 60) int capacity,
            @ForAll @IntRange(min = 1, max = 1_000) int refill) {
        ManualTimer time = new ManualTimer(Long.MAX_VALUE - 1);
        RetryQuota limited = RetryQuota.of(
                QuotaSettings.builder()
                        .capacity(capacity)
                        .refillPerSecond(refill)
                        .build(),
                time);
        List<TokenRequest> held = new ArrayList<>();
        int expected = capacity;
        for (int step : steps) {
            if (step <= 1) {
                TokenRequest claim = limited.claim(step == 0 ? RESET : BUSY);
                int cost = step == 0 ? 10 : 5;
                assertThat(claim.tryTake()).isEqualTo(expected >= cost);
                expected -= claim.isReserved() ? cost : 0;
                held.addAll(claim.isReserved() ? List.of(claim) : Collections.emptyList());
            } else if (step == 2 && !held.isEmpty()) {
                TokenRequest claim = held.remove(held.size() / 2);
                long before = claim.cost();
                claim.giveBack();
                claim.giveBack();
                expected = Math.min(capacity, expected + (int) (before / (1_000_000_000L / refill)));
            } else if (step == 3) {
                limited.succeeded(null);
                expected = Math.min(capacity, expected + 1);
            } else if (step == 4) {
                time.stall(Duration.ofNanos(3 * (1_000_000_000L / refill)));
                expected = Math.min(capacity, expected + 3);
            }
            assertThat(limited.available()).isEqualTo(expected).isBetween(0, capacity);
        }
    }

    private void drain() {
        while (quota.claim(BUSY).tryTake()) {
            assertThat(quota.available()).isNotNegative();
        }
    }
}
