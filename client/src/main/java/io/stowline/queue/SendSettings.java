package io.stowline.queue;

import io.stowline.queue.internal.rule.QueueTimeLimits;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of a send: when the message becomes visible, and how long it is kept.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param delay how long the message is hidden at first; empty for not at all
 * @param timeToLive how long the service keeps it; empty for its default of 7 days, -1 second for a message that never expires
 */
public record SendSettings(Optional<Duration> delay, Optional<Duration> timeToLive) {

    /**
     * Checks that both settings are there.
     *
     * @param delay how long the message is hidden at first
     * @param timeToLive how long the service keeps it
     */
    public SendSettings {
        delay = delay.map(QueueTimeLimits::delay);
        timeToLive =
                timeToLive.map(time -> time.equals(QueueTimeLimits.NEVER) ? time : QueueTimeLimits.timeToLive(time));
    }

    /**
     * Returns a builder with the defaults: visible at once, kept for 7 days.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /** The builder of settings. Every setter checks its value at once. Not thread-safe. */
    public static final class Builder {

        private Optional<Duration> delay = Optional.empty();
        private Optional<Duration> timeToLive = Optional.empty();

        private Builder() {}

        /**
         * Hides the message at first.
         *
         * @param delay how long, up to 7 days, less than the time it is kept; the default is not at all
         * @return this builder
         */
        public Builder delay(Duration delay) {
            this.delay = Optional.of(QueueTimeLimits.delay(delay));
            return this;
        }

        /**
         * Sets how long the service keeps the message.
         *
         * @param timeToLive how long, 1 second or more; the default is 7 days
         * @return this builder
         */
        public Builder timeToLive(Duration timeToLive) {
            this.timeToLive = Optional.of(QueueTimeLimits.timeToLive(timeToLive));
            return this;
        }

        /**
         * Has the service keep the message until it is deleted.
         *
         * @return this builder
         */
        public Builder neverExpires() {
            this.timeToLive = Optional.of(QueueTimeLimits.NEVER);
            return this;
        }

        /**
         * Returns the settings.
         *
         * @return the settings
         */
        public SendSettings build() {
            return new SendSettings(delay, timeToLive);
        }
    }
}
