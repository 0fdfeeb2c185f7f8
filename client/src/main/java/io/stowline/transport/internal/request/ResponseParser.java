package io.stowline.transport.internal.request;

import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.StorageResponse;

/** Says what an answer with a 2xx status means. Runs on an I/O thread, so it calls nothing of the user's. */
@FunctionalInterface
public interface ResponseParser<A> {

    /**
     * Reads an answer.
     *
     * @return its meaning
     */
    ParseResult<A> read(StorageResponse response);

    /**
     * What a service package makes of an answer whose status is a success.
     *
     * @param <A> the meaning
     */
    public sealed interface ParseResult<A> {

        /**
         * The answer means this.
         *
         * @param <A> its type
         */
        record Value<A>(A value) implements ParseResult<A> {}

        /** The answer carries a refusal inside, as a batch's does. */
        record RefusedResponse<A>(ServiceError error) implements ParseResult<A> {}

        /**
         * The answer is cut or makes no sense. Whether the request was carried out is open.
         *
         * @param why what is wrong with it
         * @param again whether the request may be sent again: not where a second one would do more than the first
         */
        record Unreadable<A>(String why, boolean again) implements ParseResult<A> {

            /** The same of a request that may be sent again. */
            public Unreadable(String why) {
                this(why, true);
            }
        }
    }
}
