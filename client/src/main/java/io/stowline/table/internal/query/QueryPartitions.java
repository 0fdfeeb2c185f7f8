package io.stowline.table.internal.query;

import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.filter.Filter;
import io.stowline.projection.internal.edm.KeyRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * The parts of a divided query, each with a separate condition. Immutable.
 *
 * @param conditions what each part adds to the query's conditions; none if it is not divided
 * @param parallelism how many parts are read at a time
 * @param ordered whether results come in the order of the parts
 * @param covering whether the parts together are all of the query, so that they reveal nothing of its class
 */
record QueryPartitions(List<Filter> conditions, int parallelism, boolean ordered, boolean covering) {

    static final QueryPartitions NONE = new QueryPartitions(List.of(), 1, true, true);

    private static final int PARALLELISM = 4;
    private static final int MAX_PARALLELISM = 64;

    static QueryPartitions partitions(Collection<String> keys) {
        Objects.requireNonNull(keys, "partitionKeys");
        List<String> all = checked("partitions", List.copyOf(keys));
        return of(all.stream().map(Filter.partitionKey()::equalTo).toList(), false);
    }

    static QueryPartitions prefixes(List<String> prefixes) {
        Objects.requireNonNull(prefixes, "prefixes");
        List<String> all = checked("partitionPrefixes", prefixes);
        refuseNested(all);
        return of(all.stream().map(Filter.partitionKey()::startsWith).toList(), false);
    }

    static QueryPartitions splitAt(String... keys) {
        Objects.requireNonNull(keys, "partitionKeys");
        List<String> all = checked("splitAt", List.of(keys));
        List<Filter> ranges = new ArrayList<>();
        ranges.add(Filter.partitionKey().lessThan(all.get(0)));
        for (int i = 1; i < all.size(); i++) {
            if (all.get(i).compareTo(all.get(i - 1)) < 0) {
                throw new InvalidKeyException("splitAt: key " + (i + 1) + " of " + all.size() + " comes before key " + i
                        + "; they must ascend");
            }
            ranges.add(Filter.partitionKey()
                    .atLeast(all.get(i - 1))
                    .and(Filter.partitionKey().lessThan(all.get(i))));
        }
        ranges.add(Filter.partitionKey().atLeast(all.get(all.size() - 1)));
        return of(ranges, true);
    }

    /**
     * The parts with these conditions.
     *
     * @param conditions ranges of keys in their order, which together find all rows, and each once
     */
    static QueryPartitions covering(List<Filter> conditions) {
        return of(List.copyOf(conditions), true);
    }

    private static QueryPartitions of(List<Filter> conditions, boolean covering) {
        return new QueryPartitions(conditions, PARALLELISM, true, covering);
    }

    private static List<String> checked(String step, List<String> keys) {
        if (keys.isEmpty()) {
            throw new InvalidKeyException(step + ": there is no key; at least one is needed");
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < keys.size(); i++) {
            KeyRules.check(step + ": key " + (i + 1), keys.get(i));
            if (!seen.add(keys.get(i))) {
                throw new InvalidKeyException(step + ": key " + (i + 1) + " of " + keys.size()
                        + " is there twice; its results would be, too");
            }
        }
        return keys;
    }

    /** A prefix stands right before those that begin with it, in their order. */
    private static void refuseNested(List<String> prefixes) {
        TreeMap<String, Integer> sorted = new TreeMap<>();
        prefixes.forEach(prefix -> sorted.put(prefix, sorted.size() + 1));
        for (String prefix : prefixes) {
            String next = sorted.higherKey(prefix);
            if (next != null && next.startsWith(prefix)) {
                throw new InvalidKeyException("partitionPrefixes: key " + sorted.get(next) + " begins with key "
                        + sorted.get(prefix) + "; its results would be there twice");
            }
        }
    }

    boolean isDivided() {
        return !conditions.isEmpty();
    }

    QueryPartitions parallelism(int parts) {
        if (parts < 1 || parts > MAX_PARALLELISM) {
            throw new IllegalArgumentException("parallelism is 1 to " + MAX_PARALLELISM + ", not " + parts);
        }
        return new QueryPartitions(divided("parallelism").conditions, parts, ordered, covering);
    }

    QueryPartitions unordered() {
        return new QueryPartitions(divided("unordered").conditions, parallelism, false, covering);
    }

    private QueryPartitions divided(String step) {
        if (!isDivided()) {
            throw new IllegalStateException(
                    step + ": the query is not divided; call partitions, partitionPrefixes or splitAt before");
        }
        return this;
    }
}
