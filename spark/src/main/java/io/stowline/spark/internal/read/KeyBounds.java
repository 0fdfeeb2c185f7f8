package io.stowline.spark.internal.read;

import io.stowline.projection.filter.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of the partition keys that a scan finds, in the service's order. They grow narrower while conditions are pushed. Not
 * thread-safe.
 */
final class KeyBounds {

    /** The least text behind another one is that text with this character. */
    private static final char LEAST = '\0';

    private String from = "";
    private @Nullable String below;
    private String prefix = "";
    private final List<Filter> filters = new ArrayList<>();

    /** Adds a comparison that the service evaluates as Spark does. */
    void add(String operator, String key, Filter filter) {
        switch (operator) {
            case ">" -> atLeast(key + LEAST);
            case ">=" -> atLeast(key);
            case "<" -> below(key);
            case "<=" -> below(key + LEAST);
            default -> {
                return;
            }
        }
        addFilter(filter);
    }

    /** Adds the condition that keys begin with a text. */
    void addPrefix(String text, Filter filter) {
        prefix = text.startsWith(prefix) ? text : prefix;
        addFilter(filter);
    }

    private void addFilter(Filter filter) {
        if (filter.boundsOnly("PartitionKey")) {
            filters.add(filter);
        }
    }

    private void atLeast(String key) {
        from = from.compareTo(key) < 0 ? key : from;
    }

    private void below(String key) {
        below = below == null || key.compareTo(below) < 0 ? key : below;
    }

    /** Returns whether a key is within. */
    boolean contains(String key) {
        return key.startsWith(prefix) && key.compareTo(from) >= 0 && (below == null || key.compareTo(below) < 0);
    }

    /**
     * Returns whether a range of keys may have one that is within.
     *
     * @param first the first key of the range; {@code null} for the very first
     * @param end the first key after it; {@code null} for none
     */
    boolean meets(@Nullable String first, @Nullable String end) {
        boolean startsLater = first != null
                && ((below != null && first.compareTo(below) >= 0)
                        || (first.compareTo(prefix) > 0 && !first.startsWith(prefix)));
        boolean endsBefore = end != null && (end.compareTo(from) <= 0 || end.compareTo(prefix) <= 0);
        return !startsLater && !endsBefore;
    }

    /** Returns whether partition keys that begin with a text may be within. */
    boolean meetsPrefix(String text) {
        return (text.startsWith(prefix) || prefix.startsWith(text))
                && (from.startsWith(text) || text.compareTo(from) >= 0)
                && (below == null || text.compareTo(below) < 0);
    }

    /** Returns the bounds as a condition of the service; empty for all keys. */
    Optional<Filter> filter() {
        return filters.isEmpty() ? Optional.empty() : Optional.of(Filter.all(filters));
    }
}
