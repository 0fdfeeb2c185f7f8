package io.stowline.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BackoffTest {

    private static final long HOUR = 3_600_000_000_000L;

    @Property(tries = 2000)
    @Label("RETRY-1: the delay is the article's formula")
    void delayIsTheFormula(
            @ForAll @LongRange(max = HOUR) long z,
            @ForAll @LongRange(max = HOUR) long zmin,
            @ForAll @LongRange(max = 100 * HOUR) long more,
            @ForAll @IntRange(min = 1, max = 70) int retry,
            @ForAll @IntRange(max = 999_999) int millionths) {
        Backoff backoff = Backoff.of(Duration.ofNanos(z), Duration.ofNanos(zmin), Duration.ofNanos(zmin + more));

        double draw = millionths / 1e6;
        BigDecimal expected = reference(z, zmin, zmin + more, retry, draw);

        BigDecimal actual =
                BigDecimal.valueOf(backoff.delay(retry, new Draws(draw)).toNanos());
        BigDecimal tolerance = expected.multiply(new BigDecimal("1e-14")).add(BigDecimal.ONE);
        assertThat(actual.subtract(expected).abs()).isLessThanOrEqualTo(tolerance);
    }

    private static BigDecimal reference(long z, long zmin, long zmax, int x, double draw) {
        BigDecimal factor = BigDecimal.valueOf(draw)
                .multiply(new BigDecimal("0.4"))
                .add(new BigDecimal("0.8"))
                .multiply(BigDecimal.valueOf(z));
        BigDecimal growth = new BigDecimal(BigInteger.ONE.shiftLeft(x).subtract(BigInteger.ONE));
        BigDecimal y = factor.multiply(growth, MathContext.UNLIMITED);
        return y.add(BigDecimal.valueOf(zmin)).min(BigDecimal.valueOf(zmax));
    }

    @Test
    @DisplayName(
            "RETRY-1: the checklist's ladder is exact: 2, 4, 10 and 30 s, whatever is drawn, and never less from then"
                    + " on")
    void checklist() {
        List<Duration> delays = IntStream.rangeClosed(1, 6)
                .mapToObj(retry -> Backoff.checklist().delay(retry, new Draws(0.1 * retry)))
                .toList();

        assertThat(delays).extracting(Duration::toSeconds).containsExactly(2L, 4L, 10L, 30L, 30L, 30L);
        assertThat(Backoff.checklist().max(2)).isEqualTo(Duration.ofSeconds(4));
        assertThat(Backoff.checklist().apply(Integer.MAX_VALUE)).isEqualTo(30_000L);
        assertThat(Backoff.checklist().spreadAtCap()).isSameAs(Backoff.checklist());
        assertThat(Backoff.checklist())
                .isEqualTo(Backoff.ladder(
                        Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(10), Duration.ofSeconds(30)))
                .isNotEqualTo(Backoff.ladder(Duration.ofSeconds(30)))
                .hasToString("Backoff[PT2S, PT4S, PT10S, PT30S]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Backoff.ladder(Duration.ofSeconds(4), Duration.ofSeconds(2)))
                .withMessage("delay must be at least PT4S but was PT2S");
        assertThatIllegalArgumentException().isThrownBy(Backoff::ladder).withMessageContaining("delays must be");
    }

    @Property(tries = 2000)
    @Label("RETRY-1: every delay lies between the smallest jitter and longest(x), for every x")
    void delayStaysInBounds(
            @ForAll @LongRange(min = 1, max = HOUR) long z,
            @ForAll @LongRange(max = HOUR) long zmin,
            @ForAll @LongRange(max = 100 * HOUR) long more,
            @ForAll @IntRange(min = 1) int retry,
            @ForAll long seed,
            @ForAll boolean spread) {
        Backoff bare = Backoff.of(Duration.ofNanos(z), Duration.ofNanos(zmin), Duration.ofNanos(zmin + more));
        Backoff backoff = spread ? bare.spreadAtCap() : bare;
        long floor = bare.delay(retry, new Draws(0)).toNanos();

        long delay = backoff.delay(retry, new Random(seed)).toNanos();

        assertThat(delay).isLessThanOrEqualTo(backoff.max(retry).toNanos());
        assertThat(delay).isGreaterThanOrEqualTo(spread ? (long) (0.8 * floor) : floor);
        assertThat(backoff.max(retry).toNanos()).isLessThanOrEqualTo(zmin + more);
    }

    @Property
    @Label("RETRY-1: longest(x) never falls")
    void longestIsMonotone(
            @ForAll @LongRange(max = HOUR) long z,
            @ForAll @LongRange(max = HOUR) long zmin,
            @ForAll @LongRange(max = 100 * HOUR) long more,
            @ForAll @IntRange(min = 1, max = Integer.MAX_VALUE - 1) int retry) {
        Backoff backoff = Backoff.of(Duration.ofNanos(z), Duration.ofNanos(zmin), Duration.ofNanos(zmin + more));

        assertThat(backoff.max(retry + 1)).isGreaterThanOrEqualTo(backoff.max(retry));
        assertThat(backoff.max(Integer.MAX_VALUE)).isGreaterThanOrEqualTo(backoff.max(retry));
    }

    @Test
    @DisplayName("RETRY-1: the exponent never overflows")
    void exponentNeverOverflows() {
        Backoff smallest = Backoff.of(Duration.ofNanos(1), Duration.ZERO, Duration.ofDays(365));
        Backoff largest = Backoff.of(Duration.ofDays(365), Duration.ofDays(365), Duration.ofDays(365));

        for (int retry : new int[] {31, 32, 33, 54, 55, 62, 63, 64, 65, 1023, 1024, 1025, Integer.MAX_VALUE}) {
            assertThat(largest.delay(retry, new Draws(0.5))).isEqualTo(Duration.ofDays(365));
            long expected = retry >= 55 ? Duration.ofDays(365).toNanos() : (1L << retry) - 1;
            // A double has 53 bits.
            assertThat(smallest.delay(retry, new Draws(0.5)).toNanos()).isCloseTo(expected, within(1L));
        }
    }

    @Test
    @DisplayName("RETRY-1: at the cap the bare formula has no jitter")
    void bareFormulaHasNoJitterAtTheCap() {
        Backoff bare = Backoff.of(Duration.ofSeconds(2), Duration.ZERO, Duration.ofSeconds(30));
        Random random = new Random(7);

        assertThat(IntStream.range(0, 1000).mapToObj(i -> bare.delay(5 + i, random)))
                .containsOnly(Duration.ofSeconds(30));
    }

    @Test
    @DisplayName("RETRY-1: spreadAtCap spreads over [0.8 zmax, zmax]")
    void spreadAtCapKeepsTheJitter() {
        Random random = new Random(7);

        List<Long> delays = IntStream.range(0, 10_000)
                .mapToObj(i -> Backoff.standard().delay(6, random).toMillis())
                .toList();

        assertThat(delays).allMatch(delay -> delay >= 24_000 && delay <= 30_000);
        for (int tenth = 0; tenth < 10; tenth++) {
            long from = 24_000 + tenth * 600L;
            assertThat(delays.stream().filter(delay -> delay >= from && delay < from + 600))
                    .hasSizeBetween(850, 1150);
        }
    }

    @Test
    @DisplayName("RETRY-1: spreadAtCap changes nothing below the cap")
    void spreadAtCapLeavesTheRestAlone() {
        Backoff bare = Backoff.of(Duration.ofSeconds(2), Duration.ofMillis(1), Duration.ofSeconds(30));
        Draws draws = new Draws(0.9);

        assertThat(bare.spreadAtCap().delay(3, draws)).isEqualTo(bare.delay(3, new Draws(0.9)));
        assertThat(draws.used()).isEqualTo(1);
        assertThat(bare.spreadAtCap().delay(4, new Draws(0.9, 0))).isEqualTo(Duration.ofSeconds(24));
        assertThat(bare.delay(4, new Draws(0.9, 0))).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    @DisplayName("A15: the default waits about 2, 6, 14 and 30 s")
    void standardLadder() {
        assertThat(ladder(Backoff.standard(), 0.5)).containsExactly(2_000L, 6_000L, 14_000L, 30_000L);
        assertThat(ladder(Backoff.standard(), 0)).containsExactly(1_600L, 4_800L, 11_200L, 24_000L);
        assertThat(longest(Backoff.standard())).containsExactly(2_400L, 7_200L, 16_800L, 30_000L);
        assertThat(mean(Backoff.standard(), 1)).isBetween(1_980L, 2_020L);
        assertThat(mean(Backoff.standard(), 2)).isBetween(5_940L, 6_060L);
        assertThat(mean(Backoff.standard(), 3)).isBetween(13_860L, 14_140L);
    }

    @Test
    @DisplayName("RETRY-1: the article's constants and deadline, without a spread")
    void articleLadder() {
        assertThat(ladder(Backoff.article(), 0.5)).containsExactly(33_000L, 90_000L, 90_000L, 90_000L);
        assertThat(ladder(Backoff.article(), 0)).containsExactly(27_000L, 75_000L, 90_000L, 90_000L);
        assertThat(Backoff.article().deadline()).contains(Duration.ofMinutes(6));
    }

    @Test
    void interactiveLadder() {
        assertThat(ladder(Backoff.interactive(), 0.5)).containsExactly(100L, 300L, 700L, 1_500L);
        assertThat(Backoff.interactive().max(9)).isEqualTo(Duration.ofSeconds(2));
        assertThat(Backoff.interactive().delay(9, new Draws(0))).isEqualTo(Duration.ofSeconds(2));
        assertThat(Backoff.interactive().deadline()).isEmpty();
    }

    @Test
    void fixedIsTheSameForEveryRetry() {
        Backoff fixed = Backoff.fixed(Duration.ofSeconds(5));

        assertThat(ladder(fixed, 0.1)).containsOnly(5_000L);
        assertThat(ladder(fixed.spreadAtCap(), 0.9)).containsOnly(5_000L);
        assertThat(fixed.max(Integer.MAX_VALUE)).isEqualTo(Duration.ofSeconds(5));
        assertThat(fixed.isNone()).isFalse();
    }

    @Test
    void noneIsNotAFixedDelayOfZero() {
        assertThat(Backoff.none().isNone()).isTrue();
        assertThat(Backoff.none().spreadAtCap()).isEqualTo(Backoff.none());
        assertThat(Backoff.none().delay(1, new Draws(0.5))).isZero();
        assertThat(Backoff.none().max(1)).isZero();
        assertThat(Backoff.fixed(Duration.ZERO)).isNotEqualTo(Backoff.none());
    }

    @Test
    void equalWhenTheDelaysAre() {
        Backoff same = Backoff.of(Duration.ofSeconds(2), Duration.ZERO, Duration.ofSeconds(30))
                .spreadAtCap()
                .withRandom(new Random(1));

        assertThat(same).isEqualTo(Backoff.standard()).hasSameHashCodeAs(Backoff.standard());
        assertThat(same).isNotEqualTo(Backoff.of(Duration.ofSeconds(2), Duration.ZERO, Duration.ofSeconds(30)));
        assertThat(Backoff.article())
                .isNotEqualTo(Backoff.of(Duration.ofSeconds(30), Duration.ofSeconds(3), Duration.ofSeconds(90)));
    }

    @Test
    void toStringNamesTheConstants() {
        assertThat(Backoff.standard()).hasToString("Backoff[z=PT2S, zmin=PT0S, zmax=PT30S, spreadAtCap]");
        assertThat(Backoff.article()).hasToString("Backoff[z=PT30S, zmin=PT3S, zmax=PT1M30S, deadline=PT6M]");
        assertThat(Backoff.none()).hasToString("Backoff[none]");
    }

    @Test
    void refusesConstantsOutOfRange() {
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> Backoff.of(second.negated(), second, second))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("z must be at least PT0S but was PT-1S");
        assertThatThrownBy(() -> Backoff.of(second, second.negated(), second))
                .hasMessage("zmin must be at least PT0S but was PT-1S");
        assertThatThrownBy(() -> Backoff.of(second, second, Duration.ofDays(366)))
                .hasMessage("zmax must be at most PT8760H but was PT8784H");
        assertThatThrownBy(() -> Backoff.of(second, second.multipliedBy(2), second))
                .hasMessage("zmin must be at most zmax PT1S but was PT2S");
        assertThatThrownBy(() -> Backoff.fixed(second.negated()))
                .hasMessage("delay must be at least PT0S but was PT-1S");
        assertThatThrownBy(() -> Backoff.fixed(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void refusesRetryZero() {
        String message = "retry must be between 1 and 2147483647 but was 0";
        assertThatThrownBy(() -> Backoff.standard().delay(0, new Draws(0.5))).hasMessage(message);
        assertThatThrownBy(() -> Backoff.standard().max(0)).hasMessage(message);
        assertThatThrownBy(() -> Backoff.standard().apply(0)).hasMessage(message);
    }

    private static List<Long> ladder(Backoff backoff, double draw) {
        return IntStream.rangeClosed(1, 4)
                .mapToObj(retry -> backoff.delay(retry, new Draws(draw)).toMillis())
                .toList();
    }

    private static List<Long> longest(Backoff backoff) {
        return IntStream.rangeClosed(1, 4)
                .mapToObj(retry -> backoff.max(retry).toMillis())
                .toList();
    }

    private static long mean(Backoff backoff, int retry) {
        Random random = new Random(42);
        return (long) IntStream.range(0, 10_000)
                .mapToLong(i -> backoff.delay(retry, random).toMillis())
                .average()
                .orElseThrow();
    }
}
