package io.stowline.spring.boot.listener;

import io.stowline.queue.QueueConsumer;
import io.stowline.retry.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringValueResolver;

/**
 * The settings of one listener: first the properties of its id, then its annotation, then the properties of all listeners.
 *
 * @param id the listener's id
 * @param own the properties of its id
 * @param annotation what the annotation sets
 * @param general the properties of all listeners
 */
record ListenerSettings(String id, ConsumerProperties own, ConsumerProperties annotation, ConsumerProperties general) {

    private static final int MAX_BATCH = 32;
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration MIN_POLL = Duration.ofMillis(100);
    private static final Duration MAX_POLL = Duration.ofMillis(9_500);

    /** Reads the attributes of an annotation that are settings. */
    static ConsumerProperties attributes(StowlineQueueListener annotation, StringValueResolver placeholders) {
        ConsumerProperties none = ConsumerProperties.NONE;
        return new ConsumerProperties(
                attribute("concurrency", annotation.concurrency(), placeholders, Integer::valueOf),
                attribute("batch", annotation.batch(), placeholders, Integer::valueOf),
                null,
                null,
                null,
                null,
                null,
                null,
                none.pollDelay(),
                null,
                attribute("autoStartup", annotation.autoStartup(), placeholders, ListenerSettings::truth),
                classes(annotation.poisonOn()),
                classes(annotation.uncountedOn()));
    }

    private static <V> @Nullable V attribute(
            String name, String value, StringValueResolver placeholders, Function<String, V> conversion) {
        String resolved = placeholders.resolveStringValue(value);
        if (resolved == null || resolved.isBlank()) {
            return null;
        }
        try {
            return conversion.apply(resolved.trim());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + resolved + "' is not a value of the attribute '" + name + "'", e);
        }
    }

    private static @Nullable List<Class<? extends Throwable>> classes(Class<? extends Throwable>[] attribute) {
        return attribute.length == 0 ? null : List.of(attribute);
    }

    private static Boolean truth(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("neither true nor false");
        };
    }

    private <V> @Nullable V first(Function<ConsumerProperties, @Nullable V> setting) {
        V found = setting.apply(own);
        if (found == null) {
            found = setting.apply(annotation);
        }
        return found == null ? setting.apply(general) : found;
    }

    boolean autoStartup() {
        return !Boolean.FALSE.equals(first(ConsumerProperties::autoStartup));
    }

    /**
     * Returns the classes of exceptions that a setting names.
     *
     * @param setting the setting
     * @param property its name as a property
     * @throws IllegalArgumentException if one of them is no exception, which a property can name
     */
    List<Class<? extends Throwable>> exceptions(
            Function<ConsumerProperties, @Nullable List<Class<? extends Throwable>>> setting, String property) {
        List<Class<? extends Throwable>> classes = Objects.requireNonNullElse(first(setting), List.of());
        for (Class<?> type : classes) {
            if (!Throwable.class.isAssignableFrom(type)) {
                throw new IllegalArgumentException(
                        "'" + property + "' names " + type.getName() + ", which is no exception");
            }
        }
        return classes;
    }

    /**
     * Returns the place that sets classes of exceptions, for messages.
     *
     * @param setting the setting
     * @param property its name as a property
     */
    String origin(Function<ConsumerProperties, @Nullable List<Class<? extends Throwable>>> setting, String property) {
        return setting.apply(own) != null
                ? "the property '" + ConsumerProperties.PREFIX + "." + id + "." + property + "'"
                : setting.apply(annotation) != null
                        ? "the annotation"
                        : "the property '" + ConsumerProperties.PREFIX + "." + property + "'";
    }

    /** Returns whether the properties of the id or the annotation name exceptions. */
    boolean hasOwnExceptions() {
        return Stream.of(own.poisonOn(), own.uncountedOn(), annotation.poisonOn(), annotation.uncountedOn())
                .anyMatch(classes -> classes != null && !classes.isEmpty());
    }

    int batchSize() {
        return Objects.requireNonNullElse(first(ConsumerProperties::batchSize), MAX_BATCH);
    }

    Duration stopTimeout() {
        return Objects.requireNonNullElse(first(ConsumerProperties::stopTimeout), STOP_TIMEOUT);
    }

    /** Returns the longest wait between polls. */
    Duration maxPollDelay() {
        return Objects.requireNonNullElse(first(each -> each.pollDelay().max()), MAX_POLL);
    }

    /**
     * Applies what is set.
     *
     * @throws IllegalArgumentException naming a setting that is out of range
     */
    void applyTo(QueueConsumer.Builder builder) {
        set(first(ConsumerProperties::concurrency), builder::concurrency);
        set(first(ConsumerProperties::lease), builder::lease);
        set(first(ConsumerProperties::maxHold), builder::maxHold);
        set(first(ConsumerProperties::poisonAfter), builder::poisonAfter);
        Backoff retry = first(ConsumerProperties::retry);
        set(retry, builder::retryDelay);
        set(first(ConsumerProperties::handlerTimeout), builder::handlerTimeout);
        Duration min = first(each -> each.pollDelay().min());
        Duration max = maxPollDelay();
        Duration first = min != null ? min : MIN_POLL.compareTo(max) < 0 ? MIN_POLL : max;
        builder.pollDelay(first, max);
        builder.stopTimeout(stopTimeout());
    }

    private static <V> void set(@Nullable V value, Consumer<V> setter) {
        if (value != null) {
            setter.accept(value);
        }
    }
}
