package io.stowline.table;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One page of a query, with the token that continues after it. The token serves any process that runs the same query, at any time.
 *
 * @param values the results, at most {@link Query#pageSize}; fewer than that only at the end
 * @param nextToken continues after this page; empty at the end
 * @param <T> what a result is
 */
public record ResultPage<T>(List<T> values, Optional<String> nextToken) {

    /**
     * Holds a page.
     *
     * @param values the results
     * @param nextToken continues after them
     */
    public ResultPage {
        values = List.copyOf(values);
        Objects.requireNonNull(nextToken, "nextToken");
    }
}
