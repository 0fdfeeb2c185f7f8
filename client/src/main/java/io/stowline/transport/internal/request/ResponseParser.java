package io.stowline.transport.internal.request;

import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.ResponsePage;
import io.stowline.transport.internal.http.StorageResponse;
import java.io.IOException;
import java.util.Collection;

/** A parser of responses with a 2xx status. Runs on an I/O thread, so it calls none of the user's code. */
@FunctionalInterface
public interface ResponseParser<A> {

    /**
     * Reads a response.
     *
     * @return its meaning
     */
    ParseResult<A> read(StorageResponse response);

    /**
     * Counts the rows, messages or names in a response. Only a listener needs it.
     *
     * @return the number, or -1 if the response has none
     */
    default int returned(A meaning) {
        if (meaning instanceof ResponsePage page) {
            return page.returned();
        }
        return meaning instanceof Collection<?> all ? all.size() : -1;
    }

    /** Returns whether a response has a continuation. */
    default boolean continued(A meaning) {
        return meaning instanceof ResponsePage page && page.continued();
    }

    /**
     * The result of parsing a response with a success status.
     *
     * @param <A> the meaning
     */
    public sealed interface ParseResult<A> {

        /**
         * A response with a value that the parser has read.
         *
         * @param <A> its type
         */
        record Value<A>(A value) implements ParseResult<A> {}

        /** A refusal inside the response, as in a batch's. */
        record RefusedResponse<A>(ServiceError error) implements ParseResult<A> {}

        /**
         * The finding that the response is cut or makes no sense. Whether the request was carried out is open.
         *
         * @param why its fault
         * @param again whether the request may be sent again: not where a second one would do more than the first
         */
        record Unreadable<A>(String why, boolean again) implements ParseResult<A> {

            /** Makes the finding for a request that may be sent again. */
            public Unreadable(String why) {
                this(why, true);
            }

            /**
             * Returns the reason that an error may show. A reader of the library throws an {@link IOException}, which quotes nothing of the
             * response; the text of other errors may, and is left out.
             */
            public static String reason(Exception error) {
                return error instanceof IOException
                        ? String.valueOf(error.getMessage())
                        : error.getClass().getName();
            }
        }
    }
}
