package io.stowline.blob.internal;

import io.stowline.transport.internal.Doubt;
import io.stowline.transport.internal.EntityTags;
import io.stowline.transport.internal.Finding;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Says what a look proves of a write with a condition whose answer was lost. A mark that is found proves that the write was carried out;
 * that it is missing proves nothing, for a later write may have removed it. Why each case is as it is stands in {@code docs/outcomes.md}.
 *
 * @param <R> the result of the write
 */
final class Judge<R> {

    /** Overwriting does not change when a blob was made, see {@link Seen#thereBefore}. */
    private static final String THERE_BEFORE = "what is there has been there since before the first attempt";

    private static final String SAME_VERSION = "the blob still has the version that the write was for";
    private static final String OTHER_VERSION = "the version that the write was for was gone before the first attempt";
    private static final String NEWER =
            "what is there was written after the first attempt, and nothing in it tells by whom";

    private final Predicate<Seen> marked;
    private final Predicate<Seen> same;
    private final @Nullable String ifMatch;
    private final Doubt doubt;
    private final Function<Seen, R> done;

    private Judge(
            Predicate<Seen> marked,
            Predicate<Seen> same,
            @Nullable String ifMatch,
            Doubt doubt,
            Function<Seen, R> done) {
        this.marked = marked;
        this.same = same;
        this.ifMatch = ifMatch;
        this.doubt = doubt;
        this.done = done;
    }

    /**
     * Judges a write that left a mark.
     *
     * @param ifMatch the version that it was for, or {@code null} if there was to be none
     */
    static <R> Judge<R> ofMark(String mark, @Nullable String ifMatch, Doubt doubt, Function<Seen, R> done) {
        return new Judge<>(seen -> mark.equals(seen.mark()), seen -> false, ifMatch, doubt, done);
    }

    /** Judges a write to one version that can leave no mark: it is enough that things are as it wanted them. */
    static <R> Judge<R> ofContent(Predicate<Seen> same, String ifMatch, Doubt doubt, Function<Seen, R> done) {
        return new Judge<>(seen -> false, same, ifMatch, doubt, done);
    }

    /** Whether a condition names one version, which does not come back once it is gone. */
    static boolean bound(@Nullable String ifMatch) {
        return ifMatch != null && !ifMatch.equals("*");
    }

    Finding<R> of(Seen seen) {
        if (marked.test(seen)) {
            return new Finding.Done<>(done.apply(seen));
        }
        if (EntityTags.same(seen.etag(), ifMatch)) {
            return onceOver(SAME_VERSION);
        }
        if (bound(ifMatch) && seen.writtenBefore(doubt)) {
            return new Finding.Refused<>(OTHER_VERSION);
        }
        if (!bound(ifMatch) && (ifMatch == null ? seen.thereBefore(doubt) : seen.writtenBefore(doubt))) {
            return onceOver(THERE_BEFORE);
        }
        return same.test(seen) ? new Finding.Done<>(done.apply(seen)) : new Finding.Unknown<>(NEWER);
    }

    private Finding<R> onceOver(String how) {
        return doubt.over() ? new Finding.Refused<>(how) : new Finding.Open<>();
    }
}
