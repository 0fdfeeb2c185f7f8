package io.stowline.batching.internal.writer;

import java.util.List;
import java.util.Map;

/**
 * Failures of a writer whose results were not taken: the first failures with their items, and the number of all by the class of their causes.
 *
 * @param failures at most 1,000, of at most an eighth of the buffer's bytes, in the order of failing
 */
public record UncollectedItems(List<FailedItem> failures, Map<Class<?>, Long> kinds) {

    /** Copies both. */
    public UncollectedItems {
        failures = List.copyOf(failures);
        kinds = Map.copyOf(kinds);
    }
}
