package io.stowline.transport.internal.request;

import org.jspecify.annotations.Nullable;

/**
 * The continuations of one list so far, of which two are kept whatever their number. A continuation that comes again is a circle: the
 * service lists in one direction. Circles of every length are found by Brent's algorithm, after at most about three rounds. Immutable.
 *
 * @param from the continuation that the next page is requested with, or {@code null} for the first page
 * @param kept an earlier continuation, or {@code null}
 * @param steps the pages since that one
 * @param most the pages after which a later one is kept
 * @param <C> a continuation, with its own {@code equals}
 */
public record PageTrail<C>(@Nullable C from, @Nullable C kept, long steps, long most) {

    /**
     * The beginning of a list.
     *
     * @param <C> a continuation
     * @return the trail before the first page
     */
    public static <C> PageTrail<C> start() {
        return new PageTrail<>(null, null, 0, 1);
    }

    /**
     * Whether a page's continuation is one that the list has had before, so that the list would never end.
     *
     * @param next the continuation in the page, or {@code null} for the last page
     * @return whether it closes a circle
     */
    public boolean repeats(@Nullable C next) {
        return next != null && (next.equals(from) || next.equals(kept));
    }

    /**
     * The trail after one more page.
     *
     * @param next the continuation in that page
     */
    public PageTrail<C> onwards(C next) {
        return steps + 1 >= most
                ? new PageTrail<>(next, next, 0, most * 2)
                : new PageTrail<>(next, kept, steps + 1, most);
    }
}
