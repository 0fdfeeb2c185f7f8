package io.stowline.ring.internal.place;

import io.stowline.table.EntityKey;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;

/** The results of a query on several accounts, each read ahead within bounds. */
public final class MergedResults {

    /** The results of each account that are requested ahead of the merge. */
    private static final int AHEAD = 64;

    private static final Comparator<EntityKey> BY_KEYS =
            Comparator.comparing(EntityKey::partitionKey).thenComparing(EntityKey::rowKey);

    private MergedResults() {}

    private record KeyedResult<R>(EntityKey key, R result) {}

    /**
     * Returns the results up to the limit of the query, in the order of their keys if it has them, else as they come.
     *
     * @param accounts the results of each account, in the order of their keys
     */
    public static <R> Stream<R> stream(List<Flux<R>> accounts, RoutedQuery<?, R> query) {
        Function<R, EntityKey> keys = query.keys();
        Flux<R> results = accounts.size() == 1
                ? accounts.get(0)
                : keys == null
                        ? Flux.merge(Flux.fromIterable(accounts), accounts.size(), AHEAD)
                        : byKeys(accounts, keys);
        return ResultReader.stream(results.take(query.limit()), AHEAD);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private static <R> Flux<R> byKeys(List<Flux<R>> accounts, Function<R, EntityKey> keys) {
        Flux<KeyedResult<R>>[] keyed = accounts.stream()
                .map(results -> results.map(result -> new KeyedResult<>(keys.apply(result), result)))
                .toArray(Flux[]::new);
        return Flux.mergeComparing(AHEAD, Comparator.comparing(KeyedResult<R>::key, BY_KEYS), keyed)
                .map(KeyedResult::result);
    }
}
