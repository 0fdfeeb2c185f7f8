package io.stowline.blob.internal;

/**
 * What a look at a blob or container says of a write to it whose answer was lost.
 *
 * @param <R> the result of the write
 */
sealed interface Finding<R> {

    /** It was carried out, or what it was to bring about is there. */
    record Done<R>(R result) implements Finding<R> {}

    /** It was not carried out and will not be. */
    record Refused<R>(String how) implements Finding<R> {}

    /** It was not carried out so far; whether it will be shows once its horizon has passed. */
    record Open<R>() implements Finding<R> {}

    /** Nobody can tell. */
    record Unknown<R>(String seen) implements Finding<R> {}
}
