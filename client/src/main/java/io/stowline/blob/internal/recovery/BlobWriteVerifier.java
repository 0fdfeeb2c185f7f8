package io.stowline.blob.internal.recovery;

import io.stowline.transport.internal.outcome.EntityTags;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The verifier that judges, by a read-back, a conditional write whose response was lost. A marker that is found proves
 * that the write was carried out; a missing one proves nothing, as a later write may have removed it. The cases are
 * explained in {@code docs/internals/outcome-tables.md}.
 *
 * @param <R> the result of the write
 */
public final class BlobWriteVerifier<R> {

    /** Overwriting does not change when a blob was made, see {@link BlobSnapshot#thereBefore}. */
    private static final String THERE_BEFORE = "what is there has been there since before the first attempt";

    private static final String SAME_VERSION = "the blob still has the version that the write was for";
    private static final String OTHER_VERSION = "the version that the write was for was gone before the first attempt";
    private static final String NEWER =
            "what is there may have been written after the first attempt (the service's time has whole seconds), by an"
                    + " unknown writer";

    private final Predicate<BlobSnapshot> marked;
    private final Predicate<BlobSnapshot> same;
    private final @Nullable String ifMatch;
    private final UnresolvedAttempts unresolved;
    private final Function<BlobSnapshot, R> done;

    private BlobWriteVerifier(
            Predicate<BlobSnapshot> marked,
            Predicate<BlobSnapshot> same,
            @Nullable String ifMatch,
            UnresolvedAttempts unresolved,
            Function<BlobSnapshot, R> done) {
        this.marked = marked;
        this.same = same;
        this.ifMatch = ifMatch;
        this.unresolved = unresolved;
        this.done = done;
    }

    /**
     * Judges a write that left a marker.
     *
     * @param ifMatch the version that it was for, or {@code null} if there was to be none
     */
    public static <R> BlobWriteVerifier<R> ofMarker(
            String marker, @Nullable String ifMatch, UnresolvedAttempts unresolved, Function<BlobSnapshot, R> done) {
        return new BlobWriteVerifier<>(seen -> marker.equals(seen.marker()), seen -> false, ifMatch, unresolved, done);
    }

    /**
     * Judges a write that can leave no marker: it is enough that things are as it wanted them.
     *
     * @param ifMatch the version that it was for, or {@code null} if there was to be none
     */
    public static <R> BlobWriteVerifier<R> ofContent(
            Predicate<BlobSnapshot> same,
            @Nullable String ifMatch,
            UnresolvedAttempts unresolved,
            Function<BlobSnapshot, R> done) {
        return new BlobWriteVerifier<>(seen -> false, same, ifMatch, unresolved, done);
    }

    /** Returns whether a condition names one version, which does not come back once it is gone. */
    public static boolean bound(@Nullable String ifMatch) {
        return ifMatch != null && !ifMatch.equals("*");
    }

    public ReadBackResult<R> of(BlobSnapshot seen) {
        if (marked.test(seen)) {
            return new ReadBackResult.ProvenDone<>(done.apply(seen));
        }
        if (EntityTags.same(seen.etag(), ifMatch)) {
            return ReadBackResult.onceOver(unresolved, SAME_VERSION);
        }
        if (bound(ifMatch) && seen.writtenBefore(unresolved)) {
            return new ReadBackResult.ProvenRefused<>(OTHER_VERSION);
        }
        if (!bound(ifMatch) && (ifMatch == null ? seen.thereBefore(unresolved) : seen.writtenBefore(unresolved))) {
            return ReadBackResult.onceOver(unresolved, THERE_BEFORE);
        }
        return same.test(seen)
                ? new ReadBackResult.ProvenDone<>(done.apply(seen))
                : new ReadBackResult.Unproven<>(NEWER);
    }
}
