package io.stowline.transport.internal;

/**
 * What a look at the store says of a write to it whose answer was lost.
 *
 * @param <R> the result of the write
 */
public sealed interface Finding<R> {

    /**
     * It was carried out, or what it was to bring about is there.
     *
     * @param result what the caller is told
     * @param <R> the result of the write
     */
    record Done<R>(R result) implements Finding<R> {}

    /**
     * It was not carried out and will not be.
     *
     * @param how how that is known
     * @param <R> the result of the write
     */
    record Refused<R>(String how) implements Finding<R> {}

    /**
     * It was not carried out so far; whether it will be shows once its horizon has passed.
     *
     * @param <R> the result of the write
     */
    record Open<R>() implements Finding<R> {}

    /**
     * The look itself came to nothing, for a reason that may pass.
     *
     * @param how how it ended
     * @param <R> the result of the write
     */
    record Unseen<R>(String how) implements Finding<R> {}

    /**
     * Nobody can tell.
     *
     * @param seen what was seen instead
     * @param <R> the result of the write
     */
    record Unknown<R>(String seen) implements Finding<R> {}
}
