package io.stowline.table.internal;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What stands in a row.
 *
 * @param partitionKey its partition
 * @param rowKey its key there
 * @param values its properties in their order, for the one who asked for them to keep
 * @param mark the mark of the write that it stems from, or {@code null}
 */
public record Properties(
        String partitionKey,
        String rowKey,
        Map<String, Object> values,
        @Nullable String mark) {

    /** Whether each of these properties stands there with this value. */
    boolean hold(Properties others) {
        return others.values.entrySet().stream()
                .allMatch(entry -> Objects.deepEquals(entry.getValue(), values.get(entry.getKey())));
    }

    /** Whether these properties stand there with these values, and no others. */
    boolean equal(Properties others) {
        return values.size() == others.values.size() && hold(others);
    }
}
