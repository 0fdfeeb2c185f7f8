package io.stowline.retry;

import io.github.resilience4j.core.IntervalBiFunction;
import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The delay before a retry: {@code y = Rand(0.8z, 1.2z) * (2^x - 1)}, then {@code min(zmin + y, zmax)}, where x is the
 * number of the retry, 1 for the first.
 *
 * <p>The formula and the constants of {@link #article()} are those of Microsoft's guide to scalable tables. The fixed ladder of
 * {@link #checklist()} is that of its performance and scalability checklist for tables, which names no jitter. No
 * delay is ever longer than {@link #max(int)}, and no x overflows. The bare formula gives exactly {@code zmax}
 * once it reaches the cap, so that clients throttled together come back together; {@link #spreadAtCap()} keeps them
 * apart.
 *
 * <pre>
 * Backoff.standard()      z = 2 s,    zmin = 0,   zmax = 30 s, spread at the cap: about 2, 6, 14, 30 s (the default)
 * Backoff.article()       z = 30 s,   zmin = 3 s, zmax = 90 s, with its own deadline of 6 minutes
 * Backoff.checklist()     exactly 2, 4, 10 and 30 s, and 30 s from then on, without jitter
 * Backoff.interactive()   z = 100 ms, zmin = 0,   zmax = 2 s:  about 0.1, 0.3, 0.7, 1.5 s
 * Backoff.fixed(delay)    the same delay before every retry, without jitter
 * Backoff.none()          no retries
 * </pre>
 *
 * <p>It is a Resilience4j {@link IntervalFunction}, in milliseconds, and serves in any Resilience4j Retry. Immutable
 * and safe for use by many threads, as long as a random source given to {@link #withRandom} is. Two are equal when
 * they compute the same delays; the random source does not count.
 */
public final class Backoff implements IntervalFunction {

    private static final int MAX_STEPS = 100;

    private enum Mode {
        BARE,
        SPREAD,
        LADDER,
        NONE
    }

    private static final BackoffFormula STILL = new BackoffFormula(Duration.ZERO, Duration.ZERO, Duration.ZERO);
    private static final Backoff STANDARD =
            of(Duration.ofSeconds(2), Duration.ZERO, Duration.ofSeconds(30)).spreadAtCap();
    private static final Backoff ARTICLE = new Backoff(
            new BackoffFormula(Duration.ofSeconds(30), Duration.ofSeconds(3), Duration.ofSeconds(90)),
            Mode.BARE,
            Duration.ofMinutes(6),
            null);
    private static final Backoff INTERACTIVE = of(Duration.ofMillis(100), Duration.ZERO, Duration.ofSeconds(2));
    private static final Backoff NONE = new Backoff(STILL, Mode.NONE, null, null);
    private static final Backoff CHECKLIST =
            ladder(Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(10), Duration.ofSeconds(30));

    private final BackoffFormula curve;
    private final Mode mode;
    private final @Nullable Duration deadline;
    private final @Nullable RandomGenerator random;
    private final List<Duration> steps;

    private Backoff(BackoffFormula curve, Mode mode, @Nullable Duration deadline, @Nullable RandomGenerator random) {
        this(curve, mode, deadline, random, List.of());
    }

    private Backoff(
            BackoffFormula curve,
            Mode mode,
            @Nullable Duration deadline,
            @Nullable RandomGenerator random,
            List<Duration> steps) {
        this.steps = steps;
        this.curve = curve;
        this.mode = mode;
        this.deadline = deadline;
        this.random = random;
    }

    /**
     * Returns the bare formula with these constants.
     *
     * @param z the unit that grows, zero to 365 days
     * @param zmin what is added to every delay, zero to {@code zmax}
     * @param zmax the longest delay, zero to 365 days
     * @return the back-off
     * @throws IllegalArgumentException if a constant is out of range
     */
    public static Backoff of(Duration z, Duration zmin, Duration zmax) {
        return new Backoff(new BackoffFormula(z, zmin, zmax), Mode.BARE, null, null);
    }

    /**
     * Returns the default: about 2, 6, 14 and 30 s, spread at the cap.
     *
     * @return the back-off
     */
    public static Backoff standard() {
        return STANDARD;
    }

    /**
     * Returns the guide's own constants, for work in the background: z = 30 s, zmin = 3 s, zmax = 90 s, with a
     * deadline of 6 minutes.
     *
     * @return the back-off
     */
    public static Backoff article() {
        return ARTICLE;
    }

    /**
     * Returns the ladder of the performance and scalability checklist, exactly: 2, 4, 10 and 30 s, without jitter. Clients that are
     * throttled together come back together; {@link #standard()} keeps to about the same delays and spreads them.
     *
     * @return the back-off
     */
    public static Backoff checklist() {
        return CHECKLIST;
    }

    /**
     * Returns these delays, one for each retry, without jitter. The last one repeats.
     *
     * @param delays the delays, 1 to 100, each zero to 365 days and none shorter than the one before
     * @return the back-off
     * @throws IllegalArgumentException if their number or a delay is out of range, or one is shorter than the one before
     */
    public static Backoff ladder(Duration... delays) {
        Objects.requireNonNull(delays, "delays");
        SettingBounds.between("delays", delays.length, 1, MAX_STEPS);
        Duration before = Duration.ZERO;
        for (Duration delay : delays) {
            SettingBounds.atLeast("delay", delay, before);
            before = delay;
        }
        return new Backoff(new BackoffFormula(Duration.ZERO, before, before), Mode.LADDER, null, null, List.of(delays));
    }

    /**
     * Returns short delays for interactive calls: about 0.1, 0.3, 0.7 and 1.5 s, at most 2 s.
     *
     * @return the back-off
     */
    public static Backoff interactive() {
        return INTERACTIVE;
    }

    /**
     * Returns the same delay before every retry, without jitter.
     *
     * @param delay the delay, zero to 365 days; zero retries at once, every time
     * @return the back-off
     * @throws IllegalArgumentException if the delay is out of range
     */
    public static Backoff fixed(Duration delay) {
        SettingBounds.atLeast("delay", delay, Duration.ZERO);
        return of(Duration.ZERO, delay, delay);
    }

    /**
     * Returns the back-off that stands for no retries: {@link RetrySettings} with it have {@code retries} 0, and a
     * Resilience4j Retry stops after the first call.
     *
     * @return the back-off
     */
    public static Backoff none() {
        return NONE;
    }

    /**
     * Returns a back-off that draws from [0.8 zmax, zmax] where the formula would exceed the cap. No effect on
     * {@link #fixed}, {@link #ladder} and {@link #none}, which never exceed theirs.
     *
     * @return the back-off
     */
    public Backoff spreadAtCap() {
        return mode == Mode.BARE ? new Backoff(curve, Mode.SPREAD, deadline, random) : this;
    }

    /**
     * Returns a back-off whose {@link #apply(Integer)} draws from this source instead of the thread's own.
     *
     * @param random the random source
     * @return the back-off
     */
    public Backoff withRandom(RandomGenerator random) {
        return new Backoff(curve, mode, deadline, Objects.requireNonNull(random, "random"), steps);
    }

    /**
     * Returns the deadline that belongs to this back-off; {@link RetrySettings} take it unless one is set there.
     *
     * @return the deadline, empty for all but {@link #article()}
     */
    public Optional<Duration> deadline() {
        return Optional.ofNullable(deadline);
    }

    /**
     * Returns whether this is {@link #none()}.
     *
     * @return whether it stands for no retries
     */
    public boolean isNone() {
        return mode == Mode.NONE;
    }

    /**
     * Computes the delay before a retry.
     *
     * @param retry the number of the retry, 1 for the first
     * @param random the random source
     * @return the delay, between zero and {@code longest(retry)}
     * @throws IllegalArgumentException if the number is below 1
     */
    public Duration delay(int retry, RandomGenerator random) {
        if (mode == Mode.LADDER) {
            return step(checked(retry));
        }
        double y = curve.uncapped(checked(retry), random.nextDouble());
        if (y <= curve.cap()) {
            return rounded(y);
        }
        return rounded(mode == Mode.SPREAD ? curve.spreadCap(random.nextDouble()) : curve.cap());
    }

    /**
     * Returns the upper bound of {@link #delay}: what the largest jitter would give.
     *
     * @param retry the number of the retry, 1 for the first
     * @return the longest delay, never shorter than that of the retry before
     * @throws IllegalArgumentException if the number is below 1
     */
    public Duration max(int retry) {
        return mode == Mode.LADDER
                ? step(checked(retry))
                : rounded(Math.min(curve.uncapped(checked(retry), 1.0), curve.cap()));
    }

    private Duration step(int retry) {
        return steps.get(Math.min(retry, steps.size()) - 1);
    }

    /**
     * Computes the delay for a Resilience4j Retry.
     *
     * @param retry the number of the retry, 1 for the first
     * @return the delay in milliseconds, rounded up so that it is never shorter than the formula's; -1, which ends a
     *     Resilience4j Retry, for {@link #none()}
     * @throws IllegalArgumentException if the number is below 1
     */
    @Override
    public Long apply(Integer retry) {
        return isNone() ? -1L : millis(delay(retry, random == null ? ThreadLocalRandom.current() : random));
    }

    /**
     * Returns this back-off for a Resilience4j Retry, with the server's hint as a floor: the longer one of the
     * formula's delay and the hint.
     *
     * @param <T> the type of the results
     * @param hint reads the server's hint from a result or an error, of which the other one is {@code null}; {@code null} for none
     * @return the interval function
     */
    public <T> IntervalBiFunction<T> hintedBy(
            BiFunction<? super @Nullable T, ? super @Nullable Throwable, @Nullable Duration> hint) {
        return (retry, outcome) -> {
            long own = apply(retry);
            Duration hinted = outcome.isLeft() ? hint.apply(null, outcome.getLeft()) : hint.apply(outcome.get(), null);
            return own < 0 || hinted == null ? own : Math.max(own, millis(hinted));
        };
    }

    private static int checked(int retry) {
        return SettingBounds.between("retry", retry, 1, Integer.MAX_VALUE);
    }

    private static Duration rounded(double nanos) {
        return Duration.ofNanos(Math.round(nanos));
    }

    private static long millis(Duration delay) {
        return delay.plusNanos(999_999).toMillis();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Backoff that
                && mode == that.mode
                && curve.equals(that.curve)
                && steps.equals(that.steps)
                && Objects.equals(deadline, that.deadline);
    }

    @Override
    public int hashCode() {
        return Objects.hash(curve, mode, deadline, steps);
    }

    @Override
    public String toString() {
        if (isNone()) {
            return "Backoff[none]";
        }
        if (mode == Mode.LADDER) {
            return "Backoff" + steps;
        }
        return "Backoff[z=" + curve.z() + ", zmin=" + curve.zmin() + ", zmax=" + curve.zmax()
                + (mode == Mode.SPREAD ? ", spreadAtCap" : "")
                + (deadline == null ? "]" : ", deadline=" + deadline + "]");
    }

    /** The formula of {@link Backoff} in nanoseconds, as a function of the retry and of one draw of the jitter. */
    record BackoffFormula(Duration z, Duration zmin, Duration zmax) {

        /**
         * With 2^64 the smallest z, one nanosecond, exceeds every allowed zmax, so a larger exponent changes nothing.
         */
        private static final int MAX_EXPONENT = 64;

        BackoffFormula {
            SettingBounds.atLeast("z", z, Duration.ZERO);
            SettingBounds.atLeast("zmin", zmin, Duration.ZERO);
            SettingBounds.atLeast("zmax", zmax, Duration.ZERO);
            if (zmin.compareTo(zmax) > 0) {
                throw new IllegalArgumentException("zmin must be at most zmax " + zmax + " but was " + zmin);
            }
        }

        double uncapped(int retry, double draw) {
            double growth = Math.scalb(1.0, Math.min(retry, MAX_EXPONENT)) - 1.0;
            return zmin.toNanos() + z.toNanos() * (0.8 + 0.4 * draw) * growth;
        }

        double cap() {
            return zmax.toNanos();
        }

        double spreadCap(double draw) {
            return cap() * (0.8 + 0.2 * draw);
        }
    }
}
