package io.stowline.transport.internal;

/**
 * What a service package makes of an answer whose status is a success.
 *
 * @param <A> the meaning
 */
public sealed interface Reading<A> {

    /**
     * The answer means this.
     *
     * @param value the meaning
     * @param <A> its type
     */
    record Value<A>(A value) implements Reading<A> {}

    /**
     * The answer carries a refusal inside, as a batch's does.
     *
     * @param error the refusal
     * @param <A> the type of the meaning that it does not have
     */
    record Refused<A>(ServiceError error) implements Reading<A> {}

    /**
     * The answer is cut or makes no sense. Whether the request was carried out is open.
     *
     * @param why what is wrong with it
     * @param <A> the type of the meaning that it does not have
     */
    record Unreadable<A>(String why) implements Reading<A> {}
}
