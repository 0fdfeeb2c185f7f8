package io.stowline.transport.internal.outcome;

/** What a look at the store says of a write to it whose answer was lost. */
public sealed interface ReadBackResult<R> {

    /**
     * It was carried out, or what it was to bring about is there.
     *
     * @param result the result for the caller
     * @param <R> the result of the write
     */
    record ProvenDone<R>(R result) implements ReadBackResult<R> {}

    /**
     * It was not carried out and will not be.
     *
     * @param how how that is known
     * @param <R> the result of the write
     */
    record ProvenRefused<R>(String how) implements ReadBackResult<R> {}

    /**
     * It was not carried out so far; whether it will be shows once its horizon has passed.
     *
     * @param <R> the result of the write
     */
    record Open<R>() implements ReadBackResult<R> {}

    /**
     * The look itself came to nothing, for a reason that may pass.
     *
     * @param how how it ended
     * @param <R> the result of the write
     */
    record Unseen<R>(String how) implements ReadBackResult<R> {}

    /**
     * Nothing proves it.
     *
     * @param seen what was seen instead
     * @param passing whether that is for a reason that may pass, so that a later look may tell
     * @param <R> the result of the write
     */
    record Unproven<R>(String seen, boolean passing) implements ReadBackResult<R> {

        /** What stands there proves nothing. */
        public Unproven(String seen) {
            this(seen, false);
        }
    }

    /** That a write was not carried out: final once none of its attempts can. */
    static <R> ReadBackResult<R> onceOver(UnresolvedAttempts unresolved, String how) {
        return unresolved.over() ? new ProvenRefused<>(how) : new Open<>();
    }
}
