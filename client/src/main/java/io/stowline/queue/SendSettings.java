package io.stowline.queue;

import io.stowline.error.internal.PrintableText;
import io.stowline.queue.internal.rule.QueueTimeLimits;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The settings of a send: when the message becomes visible, how long it is kept, and the id of its event.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param delay how long the message is hidden at first; empty for not at all
 * @param timeToLive how long the service keeps it; empty for its default of 7 days, -1 second for a message that never expires
 * @param eventId the id of the envelope; empty for a new one
 */
public record SendSettings(Optional<Duration> delay, Optional<Duration> timeToLive, Optional<String> eventId) {

    private static final Pattern EVENT_ID = Pattern.compile("[0-9A-Za-z-]{1,64}");

    /**
     * Checks that all settings are there.
     *
     * @param delay how long the message is hidden at first
     * @param timeToLive how long the service keeps it
     * @param eventId the id of the envelope
     */
    public SendSettings {
        delay = delay.map(QueueTimeLimits::delay);
        timeToLive =
                timeToLive.map(time -> time.equals(QueueTimeLimits.NEVER) ? time : QueueTimeLimits.timeToLive(time));
        eventId = eventId.map(SendSettings::eventId);
    }

    /**
     * Returns a builder with the defaults: visible at once, kept for 7 days, with a new id.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    private static String eventId(String id) {
        if (!EVENT_ID.matcher(Objects.requireNonNull(id, "id")).matches()) {
            throw new IllegalArgumentException(
                    PrintableText.of("eventId is 1 to 64 letters, digits and hyphens, not " + id));
        }
        return id;
    }

    /** The builder of settings. Every setter checks its value at once. Not thread-safe. */
    public static final class Builder {

        private Optional<Duration> delay = Optional.empty();
        private Optional<Duration> timeToLive = Optional.empty();
        private Optional<String> eventId = Optional.empty();

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
         * Sets the id of the message's envelope, such as one that follows from the event that caused the message: a send that is repeated by a
         * redelivery of that event then has the same id. A consumer treats it as a copy, as {@link MessageLease#eventId} describes. Without {@link
         * MessageQueue#withEnvelope} a message has no place for it, and goes without. It names one message, so {@code sendAll} refuses it.
         *
         * @param id 1 to 64 ASCII letters, digits and hyphens; the default is a new one for each send
         * @return this builder
         * @throws IllegalArgumentException if it is something else
         */
        public Builder eventId(String id) {
            this.eventId = Optional.of(SendSettings.eventId(id));
            return this;
        }

        /**
         * Returns the settings.
         *
         * @return the settings
         */
        public SendSettings build() {
            return new SendSettings(delay, timeToLive, eventId);
        }
    }
}
