package io.stowline.testkit.internal.strict.access;

import io.stowline.testkit.internal.wire.EntityKeys;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The range of keys of a table's shared access signature; both ends belong to it.
 *
 * @param start the lower end, its keys {@code null} when open
 * @param end the upper end, its keys {@code null} when open
 */
public record KeyRange(EntityKeys start, EntityKeys end) {

    public static KeyRange of(Map<String, String> query) {
        return new KeyRange(
                new EntityKeys(query.get("spk"), query.get("srk")), new EntityKeys(query.get("epk"), query.get("erk")));
    }

    /** Returns whether an entity lies in the range; one without keys does. */
    public boolean contains(EntityKeys keys) {
        return !keys.areComplete() || (compare(keys, start) >= 0 && compare(keys, end) <= 0);
    }

    /** An open end is equal to everything. */
    private static int compare(EntityKeys keys, EntityKeys limit) {
        int partition = compare(keys.partitionKey(), limit.partitionKey());
        return partition != 0 ? partition : compare(keys.rowKey(), limit.rowKey());
    }

    private static int compare(@Nullable String key, @Nullable String limit) {
        return key == null || limit == null ? 0 : key.compareTo(limit);
    }
}
