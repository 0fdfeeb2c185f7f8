package io.stowline.transport.internal;

import org.jspecify.annotations.Nullable;

/**
 * What concerns the sending of a request, again and again if need be.
 *
 * @param url the address, without what each attempt adds
 * @param replayable whether its body can be sent more than once
 * @param repeatable whether it may be sent again although an attempt may have been carried out
 * @param own what is asked, or {@code null} if an SDK client asks it
 */
record Asked(
        String url,
        boolean replayable,
        boolean repeatable,
        @Nullable Request own) {

    /** A request of our own, whose outcome is judged above the retry. */
    static Asked own(Request request) {
        return new Asked(request.url(), true, true, request);
    }

    /** A request that an SDK client has made. */
    static Asked bySdkClient(String url, boolean replayable, boolean repeatable) {
        return new Asked(url, replayable, repeatable, null);
    }
}
