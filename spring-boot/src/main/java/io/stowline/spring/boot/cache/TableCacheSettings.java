package io.stowline.spring.boot.cache;

import io.stowline.caching.Freshness;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one cache. Immutable and thread-safe.
 *
 * @param timeToLive the time after which an entry is a miss; empty if it never is
 * @param freshness how long what was read is given without a request, and then revalidated; empty if each read is a request
 */
public record TableCacheSettings(Optional<Duration> timeToLive, Optional<Freshness> freshness) {

    private static final Duration MAX_TIME = Duration.ofDays(36_500);

    /**
     * Checks the settings.
     *
     * @param timeToLive the time after which an entry is a miss
     * @param freshness how long what was read is given without a request
     * @throws IllegalArgumentException if the time is not more than zero, or above 36,500 days
     */
    public TableCacheSettings {
        timeToLive.ifPresent(time -> {
            if (time.isNegative() || time.isZero()) {
                throw new IllegalArgumentException("timeToLive must be more than zero, not " + time);
            }
            if (time.compareTo(MAX_TIME) > 0) {
                throw new IllegalArgumentException(
                        "timeToLive must be at most " + MAX_TIME.toDays() + " days, not " + time);
            }
        });
        Objects.requireNonNull(freshness, "freshness");
    }

    /**
     * Begins settings whose entries do not expire, and whose reads are requests.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that collects the settings. Not thread-safe. */
    public static final class Builder {

        private @Nullable Duration timeToLive;
        private @Nullable Freshness freshness;

        private Builder() {}

        /**
         * Sets the time after which an entry is a miss.
         *
         * @param time the time since the put, by the clock of the application that puts
         * @return this builder
         */
        public Builder timeToLive(Duration time) {
            this.timeToLive = Objects.requireNonNull(time, "time");
            return this;
        }

        /**
         * Gives entries from the memory of the client, for values that are read often and change seldom. Puts and evictions of the same client
         * are seen at once, those of other processes after the window.
         *
         * @param freshness how long what was read counts as the present state, and what may be given after that
         * @return this builder
         */
        public Builder freshness(Freshness freshness) {
            this.freshness = Objects.requireNonNull(freshness, "freshness");
            return this;
        }

        /**
         * Makes the settings.
         *
         * @return the settings
         * @throws IllegalArgumentException if a setting is out of its limits
         */
        public TableCacheSettings build() {
            return new TableCacheSettings(Optional.ofNullable(timeToLive), Optional.ofNullable(freshness));
        }
    }
}
