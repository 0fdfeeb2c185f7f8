package io.stowline.ring.internal.place;

import io.stowline.table.EntityKey;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** The results of several accounts, each read ahead within bounds. */
public final class MergedResults {

    /** The results of each account that are requested ahead of the merge. */
    private static final int AHEAD = 64;

    private static final Comparator<EntityKey> BY_KEYS =
            Comparator.comparing(EntityKey::partitionKey).thenComparing(EntityKey::rowKey);

    private MergedResults() {}

    private record KeyedResult<K, R>(K key, R result) {}

    /** Returns the results of a query; see {@link #stream(List, Function, Comparator, long)}. */
    public static <R> Stream<R> stream(List<Flux<R>> accounts, RoutedQuery<?, R> query) {
        return stream(accounts, query.ordered() ? query.keys() : null, BY_KEYS, query.limit());
    }

    /**
     * Returns the results up to a limit, in the order of their keys if these are given, else as they come.
     *
     * @param accounts the results of each account, in the order of their keys
     * @param keys gives the key of a result, or {@code null}
     */
    public static <K, R> Stream<R> stream(
            List<Flux<R>> accounts, @Nullable Function<R, K> keys, Comparator<K> order, long limit) {
        return ResultReader.stream(merged(accounts, keys, order).take(limit), AHEAD);
    }

    private static <K, R> Flux<R> merged(List<Flux<R>> accounts, @Nullable Function<R, K> keys, Comparator<K> order) {
        if (accounts.size() == 1) {
            return accounts.get(0);
        }
        return keys == null
                ? Flux.merge(Flux.fromIterable(accounts), accounts.size(), AHEAD)
                : byKeys(accounts, keys, order);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private static <K, R> Flux<R> byKeys(List<Flux<R>> accounts, Function<R, K> keys, Comparator<K> order) {
        Flux<KeyedResult<K, R>>[] keyed = accounts.stream()
                .map(results -> results.map(result -> new KeyedResult<>(keys.apply(result), result)))
                .toArray(Flux[]::new);
        return Flux.mergeComparing(AHEAD, Comparator.comparing(KeyedResult<K, R>::key, order), keyed)
                .map(KeyedResult::result);
    }
}
