package io.stowline.advisor;

import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an {@link Advisor}.
 *
 * <pre>
 * window      5 min, the time that a report covers
 * minSamples  100, the events from which a judgement is made
 * threshold   the figures of the articles
 * suppress    none
 * showKeys    no: keys and names of blobs are hashed
 * executor    ForkJoinPool.commonPool(), for the judgement at the end of each tenth of the window
 * clock       the clock of the system
 * </pre>
 *
 * <p>Immutable.
 */
public final class AdvisorSettings {

    private static final Duration MIN_WINDOW = Duration.ofSeconds(10);
    private static final Duration MAX_WINDOW = Duration.ofDays(1);

    private final Duration window;
    private final int minSamples;
    private final Map<Threshold, Double> thresholds;
    private final Map<Practice, Suppression> suppressions;
    private final boolean showKeys;
    private final Executor executor;
    private final Clock clock;

    private AdvisorSettings(Builder given) {
        this.window = given.window;
        this.minSamples = given.minSamples;
        this.thresholds = Map.copyOf(given.thresholds);
        this.suppressions = Map.copyOf(given.suppressions);
        this.showKeys = given.showKeys;
        this.executor = given.executor;
        this.clock = given.clock;
    }

    /**
     * Returns a builder with the defaults.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the time that a report covers.
     *
     * @return the window
     */
    public Duration window() {
        return window;
    }

    /**
     * Returns the events from which a judgement is made.
     *
     * @return the number
     */
    public int minSamples() {
        return minSamples;
    }

    /**
     * Returns the value beyond which a practice counts as broken.
     *
     * @param threshold the threshold
     * @return the value that was set, or the default
     */
    public double threshold(Threshold threshold) {
        return thresholds.getOrDefault(threshold, threshold.value());
    }

    /**
     * Returns the suppressions, ended ones too.
     *
     * @return the suppressions by practice
     */
    public Map<Practice, Suppression> suppressions() {
        return suppressions;
    }

    /**
     * Returns whether reports show keys and names of blobs.
     *
     * @return {@code false} if they are hashed
     */
    public boolean showKeys() {
        return showKeys;
    }

    /**
     * Returns the executor of the judgements that no call of {@link Advisor#report} makes.
     *
     * @return the executor
     */
    public Executor executor() {
        return executor;
    }

    /**
     * Returns the clock.
     *
     * @return the clock
     */
    public Clock clock() {
        return clock;
    }

    /** A builder of {@link AdvisorSettings}. */
    public static final class Builder {

        private Duration window = Duration.ofMinutes(5);
        private int minSamples = 100;
        private final Map<Threshold, Double> thresholds = new EnumMap<>(Threshold.class);
        private final Map<Practice, Suppression> suppressions = new EnumMap<>(Practice.class);
        private boolean showKeys;
        private Executor executor = ForkJoinPool.commonPool();
        private Clock clock = Clock.systemUTC();

        private Builder() {}

        /**
         * Sets the time that a report covers. A finding goes away within one window after its mend.
         *
         * @param time the window, 10 s to a day
         * @return this builder
         * @throws IllegalArgumentException if the time is out of these bounds
         */
        public Builder window(Duration time) {
            if (time.compareTo(MIN_WINDOW) < 0 || time.compareTo(MAX_WINDOW) > 0) {
                throw new IllegalArgumentException(
                        "window is " + time + ": it must be between " + MIN_WINDOW + " and " + MAX_WINDOW);
            }
            this.window = time;
            return this;
        }

        /**
         * Sets the events from which a judgement is made.
         *
         * @param events the number, 1 or more
         * @return this builder
         * @throws IllegalArgumentException if it is less than 1
         */
        public Builder minSamples(int events) {
            if (events < 1) {
                throw new IllegalArgumentException("minSamples is " + events + ": it must be 1 or more");
            }
            this.minSamples = events;
            return this;
        }

        /**
         * Sets the value beyond which a practice counts as broken.
         *
         * @param threshold the threshold
         * @param value the value in its unit, 0 or more
         * @return this builder
         * @throws IllegalArgumentException if it is negative or no number
         */
        public Builder threshold(Threshold threshold, double value) {
            if (!(value >= 0)) {
                throw new IllegalArgumentException(
                        "threshold " + threshold + " is " + value + ": it must be 0 or more");
            }
            thresholds.put(threshold, value);
            return this;
        }

        /**
         * Suppresses the findings of a practice. Reports show them with the reason.
         *
         * @param practice the practice
         * @param reason the reason, for readers of the report
         * @param until the last day on which the suppression holds, in UTC; {@code null} for no end
         * @return this builder
         * @throws IllegalArgumentException if the reason is blank
         */
        public Builder suppress(Practice practice, String reason, @Nullable LocalDate until) {
            suppressions.put(Objects.requireNonNull(practice, "practice"), new Suppression(reason, until));
            return this;
        }

        /**
         * Shows keys and names of blobs in reports and logs. The default shows hashes, whose secret is random in each process.
         *
         * @return this builder
         */
        public Builder showKeys() {
            this.showKeys = true;
            return this;
        }

        /**
         * Sets the executor of the judgements at the end of each tenth of the window, which write the log.
         *
         * @param runner the executor
         * @return this builder
         */
        public Builder executor(Executor runner) {
            this.executor = Objects.requireNonNull(runner, "executor");
            return this;
        }

        /**
         * Sets the clock.
         *
         * @param time the clock
         * @return this builder
         */
        public Builder clock(Clock time) {
            this.clock = Objects.requireNonNull(time, "clock");
            return this;
        }

        /**
         * Returns the settings.
         *
         * @return the settings
         */
        public AdvisorSettings build() {
            return new AdvisorSettings(this);
        }
    }
}
