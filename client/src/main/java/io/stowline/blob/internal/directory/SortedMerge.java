package io.stowline.blob.internal.directory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A merge that joins the items of two sources that have the same name. Each source is in the order of names, or in the order of folders, in which an
 * account with a hierarchical namespace lists: {@code a/b} before {@code a-b}. An item without a partner waits until the other source has
 * passed its name in both orders. In any other order both items of a name may come apart, but each comes once. An item that has the name
 * of the one before it comes alone. Of each source a few hundred items are read ahead. Stateless.
 */
final class SortedMerge {

    private static final int AHEAD = 256;

    /** The most items of a source that wait for partners; further ones come alone. */
    private static final int MAX_WAITING = 65_536;

    /** The order of UTF-16 code units, in which accounts without a hierarchical namespace list. */
    private static final Comparator<Side<?, ?>> BY_NAME =
            Comparator.<Side<?, ?>, Boolean>comparing(side -> side.both != null).thenComparing(Side::name);

    private SortedMerge() {}

    /**
     * The items of one name; at least one of both is there.
     *
     * @param source the item of the source, or {@code null}
     * @param target the item of the target, or {@code null}
     */
    record Both<S, T>(@Nullable S source, @Nullable T target) {}

    static <S, T> Flux<Both<S, T>> of(
            Flux<S> sources, Function<S, String> sourceName, Flux<T> targets, Function<T, String> targetName) {
        return Flux.defer(() -> {
            Waiting<S, T> waiting = new Waiting<>();
            Flux<Side<S, T>> left =
                    sources.map(source -> new Side<>(true, sourceName.apply(source), new Both<>(source, null), null));
            Flux<Side<S, T>> right =
                    targets.map(target -> new Side<>(false, targetName.apply(target), new Both<>(null, target), null));
            return Flux.mergeComparing(
                            AHEAD,
                            BY_NAME,
                            successive(new Side<>(true, "", null, null), left),
                            successive(new Side<>(false, "", null, null), right))
                    .concatMapIterable(waiting::joined, 1);
        });
    }

    /** Each item with the name of the next one, behind a beginning. */
    private static <S, T> Flux<Side<S, T>> successive(Side<S, T> begin, Flux<Side<S, T>> items) {
        return Flux.concat(Mono.just(begin), items).buffer(2, 1).map(pair -> pair.get(0)
                .before(pair.size() == 1 ? null : pair.get(1).name));
    }

    /** Compares names in their order, but that a slash comes before all other characters. */
    static int byFolder(String one, String other) {
        int shorter = Math.min(one.length(), other.length());
        for (int i = 0; i < shorter; i++) {
            int difference = place(one.charAt(i)) - place(other.charAt(i));
            if (difference != 0) {
                return difference;
            }
        }
        return one.length() - other.length();
    }

    private static int place(char c) {
        return c == '/' ? -1 : c;
    }

    /**
     * An item of one source.
     *
     * @param both the item, or {@code null} of the beginning
     * @param next the name that follows it, or {@code null} at the end
     */
    private record Side<S, T>(
            boolean ofSource,
            String name,
            @Nullable Both<S, T> both,
            @Nullable String next) {

        Side<S, T> before(@Nullable String following) {
            return new Side<>(ofSource, name, both, following);
        }
    }

    /** The items of one source that wait for their partners, and its place. */
    private static final class Line<S, T> {

        private final TreeMap<String, Both<S, T>> items = new TreeMap<>(SortedMerge::byFolder);
        private @Nullable String last;
        private @Nullable String next = "";

        /** Returns whether the item before had this name, so that the partner is its. */
        boolean repeats(Side<S, T> item) {
            boolean again = item.name.equals(last);
            last = item.name;
            return again;
        }

        /** Returns whether no item of this name comes, which the merge has found to be passed in the order of names. */
        boolean passed(String name) {
            return next == null || byFolder(name, next) < 0;
        }
    }

    /** The items that wait for a partner. Used by one thread at a time. */
    private static final class Waiting<S, T> {

        private final Line<S, T> source = new Line<>();
        private final Line<S, T> target = new Line<>();

        List<Both<S, T>> joined(Side<S, T> item) {
            Line<S, T> own = item.ofSource ? source : target;
            Line<S, T> other = item.ofSource ? target : source;
            List<Both<S, T>> ready = new ArrayList<>(1);
            own.next = item.next;
            if (item.both != null) {
                if (own.repeats(item)) {
                    ready.add(item.both);
                } else {
                    add(item.name, item.both, own, other, ready);
                }
            }
            while (!other.items.isEmpty() && own.passed(other.items.firstKey())) {
                ready.add(other.items.pollFirstEntry().getValue());
            }
            return ready;
        }

        private static <S, T> void add(
                String name, Both<S, T> item, Line<S, T> own, Line<S, T> other, List<Both<S, T>> ready) {
            Both<S, T> partner = other.items.remove(name);
            if (partner != null) {
                ready.add(new Both<>(
                        item.source == null ? partner.source : item.source,
                        item.target == null ? partner.target : item.target));
            } else if (other.passed(name) || own.items.size() >= MAX_WAITING) {
                ready.add(item);
            } else {
                own.items.putIfAbsent(name, item);
            }
        }
    }
}
