package io.stowline.batching.internal.callback;

import java.util.Objects;
import java.util.Optional;

/** The end of one item of {@link WriteFlux#writeAll}: a value or a failure, never both. Immutable. */
public final class TaggedResult<C, R> {

    private final C tag;
    private final Object outcome;

    public TaggedResult(C tag, Object outcome) {
        this.tag = tag;
        this.outcome = outcome;
    }

    /** Makes the result of an item that succeeded. */
    public static <C, R> TaggedResult<C, R> done(C tag, R value) {
        return new TaggedResult<>(tag, Objects.requireNonNull(value, "value"));
    }

    /**
     * Makes the result of an item that failed.
     *
     * @param error why
     */
    public static <C, R> TaggedResult<C, R> failed(C tag, Throwable error) {
        return new TaggedResult<>(tag, new FailedOutcome(Objects.requireNonNull(error, "error")));
    }

    /** Returns what came with the item. */
    public C tag() {
        return tag;
    }

    /**
     * Returns the result of an item that succeeded.
     *
     * @throws RuntimeException the failure of the item as it is when it is unchecked, and as the cause of a
     *     {@link java.util.concurrent.CompletionException} otherwise
     */
    @SuppressWarnings("unchecked")
    public R value() {
        if (outcome instanceof FailedOutcome failure) {
            throw FailedOutcome.unchecked(failure.error());
        }
        return (R) outcome;
    }

    /**
     * Returns why the item failed or was refused.
     *
     * @return the failure; empty when the item succeeded
     */
    public Optional<Throwable> failure() {
        return outcome instanceof FailedOutcome failure ? Optional.of(failure.error()) : Optional.empty();
    }

    @Override
    public String toString() {
        return tag + ": " + outcome;
    }
}
