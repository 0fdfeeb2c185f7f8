package io.stowline.transport.internal.outcome;

/** The result of a read-back for a write whose response was lost. */
public sealed interface ReadBackResult<R> {

    /**
     * The proof that it was carried out, or that its effect is present.
     *
     * @param result the result for the caller
     * @param <R> the result of the write
     */
    record ProvenDone<R>(R result) implements ReadBackResult<R> {}

    /**
     * The proof that it was not carried out and will not be.
     *
     * @param how the proof in words
     * @param <R> the result of the write
     */
    record ProvenRefused<R>(String how) implements ReadBackResult<R> {}

    /**
     * The finding that it was not carried out so far; whether it will be shows once its horizon has passed.
     *
     * @param <R> the result of the write
     */
    record Open<R>() implements ReadBackResult<R> {}

    /**
     * The failure of the read-back itself, for a reason that may pass.
     *
     * @param how its end
     * @param <R> the result of the write
     */
    record Unseen<R>(String how) implements ReadBackResult<R> {}

    /**
     * The finding that proves nothing.
     *
     * @param seen the finding in words
     * @param passing whether the reason may pass, so that a later read-back may decide
     * @param <R> the result of the write
     */
    record Unproven<R>(String seen, boolean passing) implements ReadBackResult<R> {

        /** Makes a finding that proves nothing and stays. */
        public Unproven(String seen) {
            this(seen, false);
        }
    }

    /** Returns that a write was not carried out: final once none of its attempts can be. */
    static <R> ReadBackResult<R> onceOver(UnresolvedAttempts unresolved, String how) {
        return unresolved.isOver() ? new ProvenRefused<>(how) : new Open<>();
    }
}
