package io.stowline.spring.boot.listener;

import io.stowline.retry.Backoff;
import io.stowline.spring.boot.autoconfigure.BackoffPreset;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of listeners: {@code stowline.consumers} for all, {@code stowline.consumers.<id>} for one. A property that is not set leaves the
 * default of {@link io.stowline.queue.QueueConsumer.Builder} in force.
 *
 * <p>Immutable and thread-safe.
 *
 * @param concurrency Number of handlers that run at a time in a listener; batches of them for a batch method.
 * @param batchSize Number of messages that a batch has at most.
 * @param lease How long a receive or a renewal hides a message.
 * @param maxHold How long a message is held at most, renewals included.
 * @param poisonAfter Number of failures after which a message goes to the poison queue.
 * @param retryBackoff Preset of the delays after which a failed message is received again.
 * @param retryDelay Constant delay after which a failed message is received again, in place of a preset.
 * @param handlerTimeout How long a handler may run before it is interrupted.
 * @param pollDelay Waits between polls while no messages come.
 * @param stopTimeout How long a listener waits for its handlers when it stops.
 * @param autoStartup Whether a listener starts with the application.
 * @param poisonOn Exceptions that send a message to the poison queue at once.
 * @param uncountedOn Exceptions that do not count as failures of a message.
 */
@ConfigurationProperties(ConsumerProperties.PREFIX)
public record ConsumerProperties(
        @Nullable Integer concurrency,
        @Nullable Integer batchSize,
        @Nullable Duration lease,
        @Nullable Duration maxHold,
        @Nullable Integer poisonAfter,
        @Nullable BackoffPreset retryBackoff,
        @Nullable Duration retryDelay,
        @Nullable Duration handlerTimeout,
        @DefaultValue PollDelay pollDelay,
        @Nullable Duration stopTimeout,
        @Nullable Boolean autoStartup,
        @Nullable List<Class<? extends Throwable>> poisonOn,
        @Nullable List<Class<? extends Throwable>> uncountedOn) {

    /** The prefix of the settings of all listeners. */
    public static final String PREFIX = "stowline.consumers";

    static final ConsumerProperties NONE = new ConsumerProperties(
            null, null, null, null, null, null, null, null, new PollDelay(null, null), null, null, null, null);

    /**
     * The waits between polls.
     *
     * @param min Wait after the first poll that brings no message.
     * @param max Longest wait, to which the waits double.
     */
    public record PollDelay(
            @Nullable Duration min, @Nullable Duration max) {}

    /**
     * Returns a builder's message under the name of the property; it begins with the method, which has that name in
     * camel case.
     */
    static String named(String message) {
        for (RecordComponent component : ConsumerProperties.class.getRecordComponents()) {
            String name = component.getName();
            if (message.startsWith(name + " ") || message.startsWith(name + ":")) {
                return "'" + DataObjectPropertyName.toDashedForm(name) + "'" + message.substring(name.length());
            }
        }
        return message;
    }

    @Nullable
    Backoff retry() {
        if (retryBackoff != null && retryDelay != null) {
            throw new IllegalArgumentException("'retry-backoff' and 'retry-delay' are both set");
        }
        return retryBackoff != null ? retryBackoff.backoff() : retryDelay != null ? Backoff.fixed(retryDelay) : null;
    }
}
