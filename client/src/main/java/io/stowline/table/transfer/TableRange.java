package io.stowline.table.transfer;

import io.stowline.error.internal.PrintableText;
import io.stowline.projection.filter.Filter;
import io.stowline.projection.filter.FilterProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys of a table: of partition keys, or of the row keys of one partition. Immutable.
 *
 * @param partition the partition whose row keys are the range; {@code null} for a range of partition keys
 * @param from the first key; {@code null} for the very first
 * @param exclusive whether {@code from} lies before the range
 * @param below the first key after it; {@code null} for none
 */
public record TableRange(
        @Nullable String partition,
        @Nullable String from,
        boolean exclusive,
        @Nullable String below) {

    /**
     * Returns the condition of its keys.
     *
     * @return one to three comparisons; empty for the range of all keys
     */
    public Optional<Filter> condition() {
        List<Filter> all = new ArrayList<>();
        if (partition != null) {
            all.add(Filter.partitionKey().equalTo(partition));
        }
        FilterProperty key = partition == null ? Filter.partitionKey() : Filter.rowKey();
        if (from != null) {
            all.add(exclusive ? key.greaterThan(from) : key.atLeast(from));
        }
        if (below != null) {
            all.add(key.lessThan(below));
        }
        return Optional.of(all).filter(conditions -> !conditions.isEmpty()).map(Filter::all);
    }

    /** Describes the range in one line. */
    @Override
    public String toString() {
        return PrintableText.of("TableRange[partition=" + partition + ", from=" + from + ", exclusive=" + exclusive
                + ", below=" + below + "]");
    }
}
