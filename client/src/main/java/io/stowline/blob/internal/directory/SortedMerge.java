package io.stowline.blob.internal.directory;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Brings together what two sources have under the same name. Both come in the order of names; of each a few hundred are read ahead. Where a
 * source is not in that order, both sides of a name may come apart, but each side comes once. Stateless.
 */
final class SortedMerge {

    private static final int AHEAD = 256;

    /** The order of UTF-16 code units, in which the service lists. */
    private static final Comparator<Side<?, ?>> BY_NAME = Comparator.comparing(Side::name);

    private SortedMerge() {}

    /**
     * What stands under one name; at least one of both is there.
     *
     * @param source what the source has, or {@code null}
     * @param target what the target has, or {@code null}
     */
    record Both<S, T>(@Nullable S source, @Nullable T target) {}

    private record Side<S, T>(
            String name, @Nullable S source, @Nullable T target) {}

    static <S, T> Flux<Both<S, T>> of(
            Flux<S> sources, Function<S, String> sourceName, Flux<T> targets, Function<T, String> targetName) {
        Flux<Side<S, T>> left = sources.map(source -> new Side<>(sourceName.apply(source), source, null));
        Flux<Side<S, T>> right = targets.map(target -> new Side<>(targetName.apply(target), null, target));
        return Flux.mergeComparing(AHEAD, BY_NAME, left, right)
                .bufferUntilChanged(Side::name)
                .map(SortedMerge::joined);
    }

    /** A page that repeats a name of the page before adds nothing. */
    private static <S, T> Both<S, T> joined(List<Side<S, T>> same) {
        S source = null;
        T target = null;
        for (Side<S, T> side : same) {
            source = source == null ? side.source : source;
            target = target == null ? side.target : target;
        }
        return new Both<>(source, target);
    }
}
