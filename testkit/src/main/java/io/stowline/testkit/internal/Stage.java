package io.stowline.testkit.internal;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StubResponse;
import java.io.IOException;

/** One place on the way of a request to the service, outermost first. Called by several threads. */
@FunctionalInterface
public interface Stage {

    /**
     * Responds to a request, or passes it on.
     *
     * @param request the request as it came to this place
     * @param next the rest of the way; may be called not at all, once or several times
     * @throws IOException if the service could not be reached; what {@code next} throws is best left to pass
     */
    StubResponse response(SentRequest request, Next next) throws IOException;

    /** The rest of the way to the service. */
    @FunctionalInterface
    interface Next {

        /**
         * Passes a request on.
         *
         * @param request the request, changed or not
         * @throws IOException if the service could not be reached, or did not respond in HTTP
         */
        StubResponse response(SentRequest request) throws IOException;
    }
}
