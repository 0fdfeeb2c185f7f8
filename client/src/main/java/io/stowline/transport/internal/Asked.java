package io.stowline.transport.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * What concerns the sending of a request, again and again if need be.
 *
 * @param url the address, without what each attempt adds
 * @param replayable whether its body can be sent more than once
 * @param repeatable whether it may be sent again although an attempt may have been carried out
 * @param unless whether it asks for nothing if that is the version that is known
 * @param load what an attempt asks of the service's capacity
 * @param own what is asked, or {@code null} if an SDK client asks it
 */
record Asked(
        String url,
        boolean replayable,
        boolean repeatable,
        boolean unless,
        Load load,
        @Nullable Request own) {

    /** A request of our own, whose outcome is judged above the retry. */
    static Asked own(Request request) {
        return new Asked(request.url(), true, true, unless(request.headers()), request.load(), request);
    }

    /** A request that an SDK client has made. */
    static Asked bySdkClient(HttpRequest request, boolean replayable, boolean repeatable, Load load) {
        return new Asked(request.getUrl().toString(), replayable, repeatable, unless(request.getHeaders()), load, null);
    }

    private static boolean unless(HttpHeaders headers) {
        return headers.getValue(HttpHeaderName.IF_NONE_MATCH) != null;
    }
}
