package io.stowline.blob.internal.request;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.CopyStatusType;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.http.BodySink;
import io.stowline.transport.internal.http.HttpDates;
import io.stowline.transport.internal.http.RequestHeaders;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.StorageResponse.ResponseMeaning;
import io.stowline.transport.internal.outcome.WriteIdMetadata;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.ChangedResources;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.HeaderValues;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
import io.stowline.transport.internal.sdk.MissingFactException;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The requests that read the content or the properties of one blob, and what their responses mean (the service's pages "Get Blob" and "Get Blob Properties"). Immutable. */
public final class BlobReads {

    private static final HttpHeaderName RANGE = HttpHeaderName.fromString("x-ms-range");
    private static final HttpHeaderName TYPE = HttpHeaderName.fromString("x-ms-blob-type");
    private static final HttpHeaderName CREATED = HttpHeaderName.fromString("x-ms-creation-time");
    private static final HttpHeaderName BLOB_MD5 = HttpHeaderName.fromString("x-ms-blob-content-md5");
    private static final HttpHeaderName TIER = HttpHeaderName.fromString("x-ms-access-tier");
    private static final HttpHeaderName VERSION_ID = HttpHeaderName.fromString("x-ms-version-id");
    private static final HttpHeaderName COPY_STATUS = HttpHeaderName.fromString("x-ms-copy-status");
    private static final String METADATA = "x-ms-meta-";

    /** The size of a blob whose response does not give it. */
    private static final long UNKNOWN = -1;

    /** The responses to a read of a range. */
    public static final DocumentedStatus READ = DocumentedStatus.status(200, 206, 304);

    private final BlobContext context;
    private final String verb;
    private final String name;
    private final String url;

    /**
     * Prepares the requests.
     *
     * @param context the container
     * @param verb the caller's verb
     * @param name the blob's name
     */
    public BlobReads(BlobContext context, String verb, String name) {
        this.context = context;
        this.verb = verb;
        this.name = name;
        this.url = context.url(name);
    }

    /**
     * The range that the next attempt requests.
     *
     * @param from the first byte
     * @param count how many bytes at the most
     * @param ifMatch the version, or {@code null} for any
     */
    public record NextRange(long from, int count, @Nullable String ifMatch) {

        private void on(RequestHeaders headers) {
            long last = count - 1 > Long.MAX_VALUE - from ? Long.MAX_VALUE : from + count - 1;
            headers.set(RANGE, "bytes=" + from + "-" + last);
            if (ifMatch != null) {
                headers.set(HttpHeaderName.IF_MATCH, ifMatch).remove(HttpHeaderName.IF_NONE_MATCH);
            }
        }
    }

    /** A receiver of a range's bytes. */
    public interface RangeReceiver extends BodySink {

        /** Returns the missing part. */
        NextRange missing();

        /** Reports one more attempt. */
        void retried();
    }

    /**
     * Returns a range, or as much of it as the blob has.
     *
     * @param receiver gets the bytes, and knows which are missing
     * @param unless the version that is not to be read, or {@code null}
     * @param ifTags what the blob's tags must be, in the service's language, or {@code null}
     * @return a request whose response has an empty body
     */
    public Exchange<StorageResponse> get(
            RangeReceiver receiver, @Nullable String unless, @Nullable String ifTags, RetrySettings retry) {
        NextRange first = receiver.missing();
        Request request = request(HttpMethod.GET, first.count())
                .into(receiver)
                .headersOfAttempt(BlobRequests.reporting(receiver::retried)
                        .andThen(headers -> receiver.missing().on(headers)));
        if (unless != null) {
            request.addHeader(HttpHeaderName.IF_NONE_MATCH, unless);
        }
        if (ifTags != null) {
            request.addHeader(BlobRequests.IF_TAGS, ifTags);
        }
        return Exchange.of(request, retry, READ::read);
    }

    private Request request(HttpMethod method, int bytes) {
        BlobContext.RevisionId kept = context.revision();
        return request(method, kept == null ? "" : "?" + kept.query(), bytes);
    }

    private Request request(HttpMethod method, String query, int bytes) {
        return Request.of(verb, context.target(name), OperationType.READ, method, url + query)
                .costing(new RequestCost(ChangedResources.address(url), 1, bytes))
                .addHeaders(context.calls().view().headers());
    }

    /**
     * The properties of a blob as one response gives them.
     *
     * @param info the properties as users see them; the size is negative where the response has no length, the ETag empty where it has none
     * @param metadata all metadata, with those that users do not see
     * @param ids the ids of the request and its response
     */
    public record StoredProperties(BlobInfo info, Map<String, String> metadata, FailureFacts.Ids ids) {}

    /**
     * Returns a request for the properties of a version, which its response has to name.
     *
     * @param ifMatch the version, or {@code null} for any
     */
    public Exchange<StoredProperties> version(@Nullable String ifMatch) {
        return properties(ifMatch, response -> {
            MissingFactException.needed(response.header(HttpHeaderName.ETAG), "ETag");
            return properties(response);
        });
    }

    /**
     * Returns a request for the properties.
     *
     * @param ifMatch the version, or {@code null} for any
     */
    public Exchange<StoredProperties> properties(@Nullable String ifMatch) {
        return properties(ifMatch, this::properties);
    }

    private Exchange<StoredProperties> properties(@Nullable String ifMatch, ResponseMeaning<StoredProperties> meaning) {
        Request request = request(HttpMethod.HEAD, 0);
        if (ifMatch != null) {
            request.addHeader(HttpHeaderName.IF_MATCH, ifMatch);
        }
        return Exchange.of(request, context.retry(), BlobRequests.parser(BlobRequests.READ, meaning));
    }

    /** Returns a request that shows whether the blob is there. */
    public Exchange<Boolean> existence() {
        return Exchange.of(
                request(HttpMethod.HEAD, 0).checkingExistence(),
                context.retry(),
                BlobRequests.parser(BlobRequests.READ, response -> true));
    }

    /** Returns a request for the tags (the service's page "Get Blob Tags"). */
    public Exchange<Map<String, String>> tags(RetrySettings retry) {
        BlobContext.RevisionId kept = context.revision();
        Request request = request(HttpMethod.GET, "?comp=tags" + (kept == null ? "" : "&" + kept.query()), 0);
        return Exchange.of(
                request, retry, BlobRequests.parser(BlobRequests.READ, response -> TagsXml.tags(response.body())));
    }

    private StoredProperties properties(StorageResponse response) {
        StorageResponse.Headers headers = response.headers();
        String length = headers.value(HttpHeaderName.CONTENT_LENGTH);
        long size = length == null ? UNKNOWN : Long.parseLong(length);
        if (length != null && size < 0) {
            throw new IllegalArgumentException("a Content-Length of " + size);
        }
        String etag = headers.value(HttpHeaderName.ETAG);
        ContentRange whole = new ContentRange(
                0,
                size,
                size,
                etag == null ? "" : HeaderValues.quoted(etag),
                blobType(headers.value(TYPE)),
                HttpDates.parse(headers.value(CREATED)));
        Map<String, String> metadata = headers.startingWith(METADATA);
        return new StoredProperties(
                info(headers, whole, metadata, response.origin()), metadata, FailureFacts.Ids.of(response));
    }

    /**
     * The bytes of a response, with their version.
     *
     * @param from the first of them
     * @param length how many they are
     * @param total how many the blob has
     * @param etag the version, quoted
     * @param type the blob's type, or {@code null} if the response lacks it
     * @param created when the blob was created, or {@code null} if the response lacks it
     */
    public record ContentRange(
            long from,
            long length,
            long total,
            String etag,
            @Nullable BlobType type,
            @Nullable Instant created) {

        /** Returns the part of a range in this response with the whole blob, without bytes behind its end. */
        public ContentRange part(long begin, int count) {
            long length = Math.max(0, Math.min(count, total - begin));
            return new ContentRange(begin, length, total, etag, type, created);
        }

        /** Returns whether a later response, to a request without condition, is of the same append blob. */
        public boolean includes(ContentRange later) {
            return created == null || (created.equals(later.created) && later.total >= total);
        }

        private static final int PARTIAL = 206;

        private static final Pattern CONTENT_RANGE = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

        /**
         * Returns the range in the headers, or {@code null} if they make no sense or lack something. Only a response
         * with the whole blob, which has another status than a part of it, names no range (RFC 9110, 15.3.7).
         */
        public static @Nullable ContentRange of(int status, StorageResponse.Headers headers, long contentLength) {
            String etag = headers.value(HttpHeaderName.ETAG);
            if (etag == null) {
                return null;
            }
            BlobType type = blobType(headers.value(TYPE));
            Instant created = HttpDates.parse(headers.value(CREATED));
            String range = headers.value(HttpHeaderName.CONTENT_RANGE);
            if (range == null) {
                return contentLength < 0 || status == PARTIAL
                        ? null
                        : new ContentRange(0, contentLength, contentLength, HeaderValues.quoted(etag), type, created);
            }
            Matcher parts = CONTENT_RANGE.matcher(range);
            if (!parts.matches()) {
                return null;
            }
            long from = Long.parseLong(parts.group(1));
            return new ContentRange(
                    from,
                    Long.parseLong(parts.group(2)) - from + 1,
                    Long.parseLong(parts.group(3)),
                    HeaderValues.quoted(etag),
                    type,
                    created);
        }
    }

    /** A response with the whole blob has the blob's MD5 as that of the body alone. */
    private static @Nullable String contentMd5(StorageResponse.Headers response) {
        String stored = response.value(BLOB_MD5);
        return stored == null && response.value(HttpHeaderName.CONTENT_RANGE) == null
                ? response.value(HttpHeaderName.CONTENT_MD5)
                : stored;
    }

    private static @Nullable BlobType blobType(@Nullable String header) {
        return header == null ? null : BlobType.fromString(header);
    }

    /** Gateways and caches on the way may leave it out. */
    private static Instant modified(StorageResponse.Headers response) {
        Instant modified = HttpDates.parse(response.value(HttpHeaderName.LAST_MODIFIED));
        return modified == null ? Instant.EPOCH : modified;
    }

    private static @Nullable AccessTier tier(@Nullable String header) {
        return header == null ? null : AccessTier.fromString(header);
    }

    private static @Nullable CopyStatusType copyStatus(@Nullable String header) {
        return header == null ? null : CopyStatusType.fromString(header);
    }

    /**
     * Returns the blob as the response to one of its ranges describes it; the MD5 of the whole blob stands elsewhere
     * than that of a range.
     *
     * @param origin where the response came from
     */
    public BlobInfo info(StorageResponse.Headers response, ContentRange range, ReadOrigin origin) {
        return info(response, range, response.startingWith(METADATA), origin);
    }

    private BlobInfo info(
            StorageResponse.Headers response, ContentRange range, Map<String, String> metadata, ReadOrigin origin) {
        String version = response.value(VERSION_ID);
        return new BlobInfo(
                name,
                range.total,
                range.etag,
                modified(response),
                range.type,
                new BlobHeaders(
                        response.value(HttpHeaderName.CONTENT_TYPE),
                        response.value(HttpHeaderName.CONTENT_ENCODING),
                        response.value(HttpHeaderName.CONTENT_LANGUAGE),
                        response.value(HttpHeaderName.CONTENT_DISPOSITION),
                        response.value(HttpHeaderName.CACHE_CONTROL)),
                contentMd5(response),
                WriteIdMetadata.hiddenIn(metadata),
                tier(response.value(TIER)),
                version == null || version.isEmpty() ? null : version,
                copyStatus(response.value(COPY_STATUS)),
                origin);
    }
}
