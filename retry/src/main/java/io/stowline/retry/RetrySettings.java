package io.stowline.retry;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The retry settings of an operation: its deadline, its retries and the timeouts of its attempts.
 *
 * <pre>
 * backoff        Backoff.standard()
 * retries        4 (0 with Backoff.none())
 * deadline       120 s, or the back-off's own; covers all attempts, waits and read-backs
 * serverTimeout  30 s, what an attempt allows the server
 * grace          5 s, how much longer than the server the client waits
 * attemptTimeout serverTimeout + grace, how long the client waits for one attempt at most
 * minAttempt   1 s, at most half of the deadline; no attempt starts with less time left
 * reserve        a fifth of attemptTimeout, at most a quarter of the deadline, for a read-back after the last attempt
 * </pre>
 *
 * <p>The deadline cuts the ladder of retries: a retry whose delay does not fit is not started.
 *
 * <p>An attempt can no longer be applied after its horizon: its last byte, plus its server timeout, plus the grace.
 *
 * <p>Immutable and safe for use by many threads.
 */
public final class RetrySettings {

    private static final int DEFAULT_RETRIES = 4;
    private static final Duration DEFAULT_DEADLINE = Duration.ofMinutes(2);
    private static final Duration DEFAULT_MIN_ATTEMPT = Duration.ofSeconds(1);
    private static final RetrySettings DEFAULTS = builder().build();

    private final Builder given;
    private final int retries;
    private final Duration deadline;
    private final Duration attemptTimeout;
    private final Duration minAttempt;
    private final Duration reserve;
    private final RetrySettings withoutReserve;
    private final RetrySettings readBack;

    private RetrySettings(Builder given) {
        this.given = given;
        this.retries = given.resolvedRetries();
        this.deadline = given.resolvedDeadline();
        this.attemptTimeout = given.resolvedAttemptTimeout();
        this.minAttempt = given.resolvedMinAttempt();
        this.reserve = given.resolvedReserve();
        this.withoutReserve =
                reserve.isZero() ? this : new RetrySettings(given.copy().reserve(Duration.ZERO));
        this.readBack = reserve.isZero()
                ? this
                : new RetrySettings(given.copy().reserve(Duration.ZERO).minAttempt(minReadBack()));
    }

    /**
     * Returns the defaults.
     *
     * @return the settings
     */
    public static RetrySettings defaults() {
        return DEFAULTS;
    }

    /**
     * Returns a builder that holds the defaults.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns a builder that holds these settings; what was never set still follows the back-off.
     *
     * @return a new builder
     */
    public Builder toBuilder() {
        return given.copy();
    }

    /**
     * Returns the delays.
     *
     * @return the back-off
     */
    public Backoff backoff() {
        return given.backoff;
    }

    /**
     * Returns the number of retries after the first attempt.
     *
     * @return the number of retries
     */
    public int retries() {
        return retries;
    }

    /**
     * Returns the time for the whole operation.
     *
     * @return the deadline
     */
    public Duration deadline() {
        return deadline;
    }

    /**
     * Returns the largest server timeout of an attempt.
     *
     * @return the server's timeout
     */
    public Duration serverTimeout() {
        return given.serverTimeout;
    }

    /**
     * Returns how much longer than the server the client waits, and how long after the server's time an attempt may
     * still be applied: its horizon.
     *
     * @return the grace
     */
    public Duration grace() {
        return given.grace;
    }

    /**
     * Returns the time that the client waits for one attempt at most.
     *
     * @return the attempt's time
     */
    public Duration attemptTimeout() {
        return attemptTimeout;
    }

    /**
     * Returns the least time that must be left for an attempt to start.
     *
     * @return the least time
     */
    public Duration minAttempt() {
        return minAttempt;
    }

    /**
     * Returns the time kept for a read-back.
     *
     * @return the reserve
     */
    public Duration reserve() {
        return reserve;
    }

    /**
     * Returns the same settings without a reserve: for reads.
     *
     * @return the settings, this when the reserve is zero; always the same ones
     */
    public RetrySettings withoutReserve() {
        return withoutReserve;
    }

    /**
     * Returns the same settings for the read-backs that the reserve is kept for: without a reserve, and with a least
     * attempt of at most half of it, so that a read-back finds time in the reserve alone.
     *
     * @return the settings, this when the reserve is zero; always the same ones
     */
    public RetrySettings forReadBack() {
        return readBack;
    }

    private Duration minReadBack() {
        Duration half = Builder.shorter(minAttempt, reserve.dividedBy(2));
        return half.compareTo(Builder.MIN_ATTEMPT) < 0 ? Builder.MIN_ATTEMPT : half;
    }

    /** Compares all settings. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RetrySettings that
                && backoff().equals(that.backoff())
                && retries == that.retries
                && deadline.equals(that.deadline)
                && serverTimeout().equals(that.serverTimeout())
                && grace().equals(that.grace())
                && attemptTimeout.equals(that.attemptTimeout)
                && minAttempt.equals(that.minAttempt)
                && reserve.equals(that.reserve);
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                backoff(), retries, deadline, serverTimeout(), grace(), attemptTimeout, minAttempt, reserve);
    }

    @Override
    public String toString() {
        return "RetrySettings[backoff=" + backoff() + ", retries=" + retries + ", deadline=" + deadline
                + ", serverTimeout=" + serverTimeout() + ", grace=" + grace() + ", attemptTimeout=" + attemptTimeout
                + ", minAttempt=" + minAttempt() + ", reserve=" + reserve() + "]";
    }

    /** A builder of {@link RetrySettings}; every setter checks its value at once. Not safe for use by many threads. */
    public static final class Builder {

        private static final int MAX_RETRIES = 10_000;
        private static final Duration MIN_ATTEMPT = Duration.ofMillis(1);

        private Backoff backoff = Backoff.standard();
        private @Nullable Integer retries;
        private @Nullable Duration deadline;
        private Duration serverTimeout = Duration.ofSeconds(30);
        private Duration grace = Duration.ofSeconds(5);
        private @Nullable Duration attemptTimeout;
        private @Nullable Duration minAttempt;
        private @Nullable Duration reserve;

        private Builder() {}

        /**
         * Sets the delays.
         *
         * @param backoff the back-off
         * @return this builder
         */
        public Builder backoff(Backoff backoff) {
            this.backoff = Objects.requireNonNull(backoff, "backoff");
            return this;
        }

        /**
         * Sets the number of retries after the first attempt.
         *
         * @param retries the number, 0 to 10,000
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder retries(int retries) {
            this.retries = SettingBounds.between("retries", retries, 0, MAX_RETRIES);
            return this;
        }

        /**
         * Sets the time for the whole operation.
         *
         * @param deadline the time, 1 ms to 365 days
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder deadline(Duration deadline) {
            this.deadline = SettingBounds.atLeast("deadline", deadline, Duration.ofMillis(1));
            return this;
        }

        /**
         * Sets the server timeout of an attempt; it is sent in whole seconds.
         *
         * @param serverTimeout the time, 1 s to 365 days
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder serverTimeout(Duration serverTimeout) {
            this.serverTimeout = SettingBounds.atLeast("serverTimeout", serverTimeout, Duration.ofSeconds(1));
            return this;
        }

        /**
         * Sets how much longer than the server the client waits. An attempt's horizon ends with it.
         *
         * @param grace the time, zero to 365 days
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder grace(Duration grace) {
            this.grace = SettingBounds.atLeast("grace", grace, Duration.ZERO);
            return this;
        }

        /**
         * Sets how long the client waits for one attempt at most. It also shortens the server timeout, down to a second. The shorter it is,
         * the more writes are given up on while the service still works at them: they become ambiguous.
         *
         * @param attemptTimeout the time, 1 ms to 365 days; when never set, the server's timeout and the grace
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder attemptTimeout(Duration attemptTimeout) {
            this.attemptTimeout = SettingBounds.atLeast("attemptTimeout", attemptTimeout, Duration.ofMillis(1));
            return this;
        }

        /**
         * Sets the least time that must be left for an attempt to start.
         *
         * @param minAttempt the time, 1 ms to 365 days; when never set, 1 s and at most half of the deadline
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder minAttempt(Duration minAttempt) {
            this.minAttempt = SettingBounds.atLeast("minAttempt", minAttempt, MIN_ATTEMPT);
            return this;
        }

        /**
         * Sets the time kept for a read-back after the last attempt.
         *
         * @param reserve the time, zero to 365 days; when never set, a fifth of the attempt's time and at most a quarter of the
         *     deadline
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder reserve(Duration reserve) {
            this.reserve = SettingBounds.atLeast("reserve", reserve, Duration.ZERO);
            return this;
        }

        /**
         * Builds the settings.
         *
         * @return the settings
         * @throws IllegalArgumentException if one least attempt and the reserve do not fit in the deadline, or retries are set with
         *     {@link Backoff#none()}
         */
        public RetrySettings build() {
            if (backoff.isNone() && resolvedRetries() > 0) {
                throw new IllegalArgumentException("retries must be 0 with " + backoff + " but was " + retries);
            }
            Duration needed = resolvedMinAttempt().plus(resolvedReserve());
            if (needed.compareTo(resolvedDeadline()) > 0) {
                throw new IllegalArgumentException("deadline " + resolvedDeadline()
                        + " leaves no time for an attempt: minAttempt " + resolvedMinAttempt() + " and reserve "
                        + resolvedReserve() + " take " + needed
                        + "; set a longer deadline, or a shorter minAttempt or reserve");
            }
            return new RetrySettings(copy());
        }

        private int resolvedRetries() {
            if (retries != null) {
                return retries;
            }
            return backoff.isNone() ? 0 : DEFAULT_RETRIES;
        }

        private Duration resolvedDeadline() {
            return deadline != null ? deadline : backoff.deadline().orElse(DEFAULT_DEADLINE);
        }

        private Duration resolvedAttemptTimeout() {
            return attemptTimeout != null ? attemptTimeout : serverTimeout.plus(grace);
        }

        private Duration resolvedMinAttempt() {
            if (minAttempt != null) {
                return minAttempt;
            }
            Duration min = shorter(DEFAULT_MIN_ATTEMPT, resolvedDeadline().dividedBy(2));
            Duration kept = reserve == null ? Duration.ZERO : reserve;
            Duration left = resolvedDeadline().minus(kept);
            return left.compareTo(Duration.ZERO) > 0 ? shorter(min, left) : min;
        }

        private Duration resolvedReserve() {
            if (reserve != null) {
                return reserve;
            }
            Duration derived = shorter(
                    resolvedAttemptTimeout().dividedBy(5), resolvedDeadline().dividedBy(4));
            Duration left = resolvedDeadline().minus(resolvedMinAttempt());
            return left.isNegative() ? Duration.ZERO : shorter(derived, left);
        }

        private static Duration shorter(Duration one, Duration other) {
            return one.compareTo(other) <= 0 ? one : other;
        }

        private Builder copy() {
            Builder copy = new Builder();
            copy.backoff = backoff;
            copy.retries = retries;
            copy.deadline = deadline;
            copy.serverTimeout = serverTimeout;
            copy.grace = grace;
            copy.attemptTimeout = attemptTimeout;
            copy.minAttempt = minAttempt;
            copy.reserve = reserve;
            return copy;
        }
    }
}
