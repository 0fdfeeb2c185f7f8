package io.stowline.transport.internal.request;

import io.stowline.transport.internal.concurrent.Stopwatch;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The pages of one list so far: their number, and their continuations, of which two are kept whatever their number. A continuation that
 * comes again is a circle: the service lists in one direction. Circles of every length are found by Brent's algorithm, after at most about
 * three rounds. New continuations without a result are no circle, but a list of them would not end, either. Immutable.
 *
 * @param from the continuation that the next page is requested with, or {@code null} for the first page
 * @param kept an earlier continuation, or {@code null}
 * @param steps the pages since that one
 * @param max the pages after which a later one is kept
 * @param pages all pages
 * @param empty the pages since the last result
 * @param begun the beginning of the list
 * @param <C> a continuation, with its own {@code equals}
 */
public record PageTrail<C>(
        @Nullable C from, @Nullable C kept, long steps, long max, long pages, long empty, Stopwatch begun) {

    /**
     * The pages without a result, one after the other, after which a list ends. A scan of a table passes 1,000 rows with each of them, so
     * that one that ends so has passed a thousand million rows in vain.
     */
    public static final long MAX_EMPTY = 1_000_000;

    /**
     * Returns the beginning of a list.
     *
     * @param clock counts the time of the list
     * @param <C> a continuation
     * @return the trail before the first page
     */
    public static <C> PageTrail<C> start(Scheduler clock) {
        return new PageTrail<>(null, null, 0, 1, 0, 0, Stopwatch.start(clock));
    }

    /**
     * Explains why a list must not go on behind a page.
     *
     * @param next the continuation in the page, or {@code null} for the last page
     * @param nothing whether the page has no result
     * @return the reason, or {@code null} if it goes on
     */
    public @Nullable String against(@Nullable C next, boolean nothing) {
        if (repeats(next)) {
            return "the page has a continuation that this list has had before, so that the list would never end";
        }
        return next != null && nothing && empty + 1 >= MAX_EMPTY
                ? "the last " + MAX_EMPTY + " pages of this list had no result and one continuation after the other,"
                        + " so that the list might never end: page " + (pages + 1) + " came "
                        + begun.age() + " after its beginning; divide the list by a prefix or by ranges of keys"
                : null;
    }

    /**
     * A page's continuation that the list has had before would make the list endless.
     *
     * @param next the continuation in the page, or {@code null} for the last page
     * @return whether it closes a circle
     */
    private boolean repeats(@Nullable C next) {
        return next != null && (next.equals(from) || next.equals(kept));
    }

    /**
     * Returns the trail after one more page.
     *
     * @param next the continuation in that page
     * @param nothing whether that page had no result
     */
    public PageTrail<C> onwards(C next, boolean nothing) {
        long without = nothing ? empty + 1 : 0;
        return steps + 1 >= max
                ? new PageTrail<>(next, next, 0, max * 2, pages + 1, without, begun)
                : new PageTrail<>(next, kept, steps + 1, max, pages + 1, without, begun);
    }
}
