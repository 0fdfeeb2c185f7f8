package io.stowline.projection.key;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The values of the parts of a key; made by {@link KeyFormat#parse}.
 *
 * <p>Immutable and safe for use by many threads. Two are equal when their names and values are. Every method throws
 * {@code IllegalArgumentException} for a name that the format does not have, or whose part is of another kind.
 */
public final class KeyValues {

    private final Map<String, Object> values;

    KeyValues(Map<String, Object> values) {
        this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /**
     * Returns the names of the parts.
     *
     * @return the names, in their order in the key
     */
    public List<String> names() {
        return List.copyOf(values.keySet());
    }

    /**
     * Returns the value of a part made by {@link KeyFormat#text}, {@link KeyFormat#escaped} or {@link KeyFormat#random}.
     *
     * @param name the part's name
     * @return the text
     */
    public String text(String name) {
        return value(name, String.class, "text");
    }

    /**
     * Returns the value of a part made by {@link KeyFormat#number}.
     *
     * @param name the part's name
     * @return the number
     */
    public long number(String name) {
        return value(name, Long.class, "a number");
    }

    /**
     * Returns the value of a part made by {@link KeyFormat#time}, {@link KeyFormat#newestFirst} or {@link KeyFormat#secondsFirst}.
     *
     * @param name the part's name
     * @return the time
     */
    public Instant time(String name) {
        return value(name, Instant.class, "a time");
    }

    /**
     * Returns the value of a part made by {@link KeyFormat#uuid}.
     *
     * @param name the part's name
     * @return the UUID
     */
    public UUID uuid(String name) {
        return value(name, UUID.class, "a UUID");
    }

    private <V> V value(String name, Class<V> type, String kind) {
        Object value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the key has no part \"" + name + "\"; it has " + values.keySet());
        }
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException("part " + name + " of the key is not " + kind + " but a "
                    + value.getClass().getSimpleName());
        }
        return type.cast(value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyValues that && that.values.equals(values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /** Returns names and values. */
    @Override
    public String toString() {
        return values.toString();
    }
}
