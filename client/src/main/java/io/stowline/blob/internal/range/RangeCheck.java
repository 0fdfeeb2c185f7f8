package io.stowline.blob.internal.range;

import com.azure.core.http.HttpHeaderName;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.range.RangeSource.RangeRequest;
import io.stowline.blob.internal.request.BlobReads;
import io.stowline.blob.internal.request.BlobReads.ContentRange;
import io.stowline.blob.internal.request.BlobReads.NextRange;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.error.GatewayResponses;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.request.HeaderValues;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A check of the head of one response against its range: the place, the length and the version.
 *
 * @param contentLength the bytes of the body, or a negative number if the response does not give them
 */
record RangeCheck(
        BlobContext context,
        RangeRequest requested,
        String clientRequestId,
        int status,
        StorageResponse.Headers headers,
        long contentLength) {

    private static final String NO_RETRY = "a retry cannot help";

    /** The most bytes of a whole blob that are discarded for a range of it. */
    private static final long MAX_PASSED = 64L << 20;

    /**
     * Returns the range that the response has.
     *
     * @param missing the range that was requested
     * @param known the version of the range, or {@code null} if this is the first response
     */
    ContentRange checked(NextRange missing, @Nullable PinnedVersion known) throws IOException {
        GatewayResponses.refuse(status, headers);
        String other = BlobReads.READ.against(status);
        if (other != null) {
            throw new IOException(other);
        }
        if (headers.value(HttpHeaderName.ETAG) == null) {
            throw wrong(
                    "the response lacks the header ETag, which a proxy before the service may drop",
                    NO_RETRY + "; let the proxy pass the header, or use the endpoint of the account");
        }
        ContentRange given = ContentRange.of(status, headers, contentLength);
        boolean ignored = headers.value(HttpHeaderName.CONTENT_RANGE) == null;
        ContentRange range = given == null || !ignored ? given : ofWhole(given, missing);
        if (range == null
                || (range.from() != missing.from() && range.length() > 0)
                || range.length() < 0
                || range.length() > missing.count()
                || contradicts(range, missing.ifMatch(), known)
                || (!ignored && contentLength >= 0 && contentLength != range.length())) {
            throw wrong(
                    "requested " + missing.count() + " bytes from " + missing.from()
                            + " on, the response has the range "
                            + headers.value(HttpHeaderName.CONTENT_RANGE) + " and " + contentLength
                            + " bytes of the version " + headers.value(HttpHeaderName.ETAG)
                            + (missing.ifMatch() == null
                                    ? ""
                                    : ", while the condition was the version " + missing.ifMatch()),
                    NO_RETRY);
        }
        refuseOther(range, known);
        return range;
    }

    /** A gateway before the service may ignore ranges, as HTTP allows, and send the whole blob. */
    private ContentRange ofWhole(ContentRange whole, NextRange missing) {
        ContentRange part = whole.part(missing.from(), missing.count());
        if (whole.length() - part.length() > MAX_PASSED) {
            throw wrong(
                    "requested " + missing.count() + " bytes from " + missing.from() + " on, and got all "
                            + whole.length()
                            + " bytes of the blob: what stands before the service, such as a CDN, ignores ranges, and"
                            + " more than " + MAX_PASSED + " bytes would be thrown away",
                    NO_RETRY + "; use the endpoint of the account");
        }
        return part;
    }

    /**
     * True for a response with another version or length than the one before, or a part beyond the blob's end, although
     * the request has a condition.
     */
    private static boolean contradicts(ContentRange range, @Nullable String etag, @Nullable PinnedVersion known) {
        boolean same = etag == null
                || known == null
                || (HeaderValues.quoted(etag).equals(range.etag())
                        && range.total() == known.info().size());
        return !same || (range.length() > 0 && range.from() + range.length() > range.total());
    }

    /** A cache before the service may ignore the condition of a first range, and those of an append blob have none. */
    private void refuseOther(ContentRange range, @Nullable PinnedVersion known) {
        String named = requested.ifMatch();
        if (known == null && named != null && !HeaderValues.sameVersion(named, range.etag())) {
            throw changed(HeaderValues.otherVersion(named, range.etag()));
        }
        if (known != null && !known.includes(range.total(), range.created())) {
            throw changed("the append blob was made again while it was read");
        }
    }

    private ProtocolException wrong(String message, String advice) {
        return new ProtocolException(failure().because(message, advice), null);
    }

    private PreconditionFailedException changed(String message) {
        return new PreconditionFailedException(failure().because(message, NO_RETRY), null);
    }

    private FailureFacts failure() {
        return FailureFacts.of(requested.verb(), context.resource(requested.name()))
                .ids(ids())
                .tried(1, 0, Duration.ZERO)
                .status(status, null);
    }

    /** Returns the ids of the request. */
    FailureFacts.Ids ids() {
        return new FailureFacts.Ids(clientRequestId, headers.value(StorageResponse.REQUEST_ID));
    }
}
