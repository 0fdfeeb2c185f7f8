package io.stowline.blob.internal.request;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.Md5;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.HttpDates;
import io.stowline.transport.internal.http.RequestHeaders;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.StorageResponse.ResponseMeaning;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.ChangedResources;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.HeaderValues;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
import io.stowline.transport.internal.request.ResponseParser;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests on the content of one block blob, and what their responses mean (the service's pages "Put Blob", "Put Block",
 * "Put Block List" and "Get Block List"). Immutable.
 */
public final class BlobRequests {

    private static final HttpHeaderName BLOB_TYPE = HttpHeaderName.fromString("x-ms-blob-type");
    private static final HttpHeaderName BLOB_MD5 = HttpHeaderName.fromString("x-ms-blob-content-md5");
    private static final HttpHeaderName BLOB_CONTENT_TYPE = HttpHeaderName.fromString("x-ms-blob-content-type");
    private static final HttpHeaderName BLOB_ENCODING = HttpHeaderName.fromString("x-ms-blob-content-encoding");
    private static final HttpHeaderName BLOB_LANGUAGE = HttpHeaderName.fromString("x-ms-blob-content-language");
    private static final HttpHeaderName BLOB_DISPOSITION = HttpHeaderName.fromString("x-ms-blob-content-disposition");
    private static final HttpHeaderName BLOB_CACHE_CONTROL = HttpHeaderName.fromString("x-ms-blob-cache-control");
    private static final HttpHeaderName COPY_SOURCE = HttpHeaderName.fromString("x-ms-copy-source");
    private static final HttpHeaderName COPY_PROPERTIES = HttpHeaderName.fromString("x-ms-copy-source-blob-properties");
    private static final HttpHeaderName COPY_ID = HttpHeaderName.fromString("x-ms-copy-id");
    private static final HttpHeaderName COPY_ACTION = HttpHeaderName.fromString("x-ms-copy-action");
    private static final HttpHeaderName COPY_STATUS = HttpHeaderName.fromString("x-ms-copy-status");
    private static final DocumentedStatus ABORTED = DocumentedStatus.status(204);
    private static final DocumentedStatus COPYING = DocumentedStatus.status(202);
    private static final HttpHeaderName TAGS = HttpHeaderName.fromString("x-ms-tags");
    static final HttpHeaderName IF_TAGS = HttpHeaderName.fromString("x-ms-if-tags");
    private static final HttpHeaderName TIER = HttpHeaderName.fromString("x-ms-access-tier");
    private static final String METADATA = "x-ms-meta-";
    static final String BYTES = "application/octet-stream";
    private static final String XML = "application/xml";
    static final DocumentedStatus MADE = BlobContext.MADE;
    static final DocumentedStatus READ = DocumentedStatus.status(200);

    private final BlobContext context;
    private final String verb;
    private final String name;
    private final String url;
    private final @Nullable Runnable retried;

    /**
     * Prepares the requests.
     *
     * @param context the container
     * @param verb the caller's verb
     * @param name the blob's name
     */
    public BlobRequests(BlobContext context, String verb, String name) {
        this(context, verb, name, null);
    }

    private BlobRequests(BlobContext context, String verb, String name, @Nullable Runnable retried) {
        this.context = context;
        this.verb = verb;
        this.name = name;
        this.url = context.url(name);
        this.retried = retried;
    }

    /** Returns the requests with a listener for each attempt after the first one; it may be {@code null}. */
    public BlobRequests reportingTo(@Nullable Runnable listener) {
        return new BlobRequests(context, verb, name, listener);
    }

    /** Reports each attempt of one request after the first. */
    static Consumer<RequestHeaders> reporting(Runnable listener) {
        AtomicBoolean tried = new AtomicBoolean();
        return headers -> {
            if (tried.getAndSet(true)) {
                listener.run();
            }
        };
    }

    /**
     * The making of a blob, whether its content comes with it or lies in blocks.
     *
     * @param condition the version that it replaces, or none
     * @param headers the served headers
     * @param md5 the MD5 of the content, in Base64
     * @param metadata its metadata, the marker of the write included
     * @param tags its tags, encoded, or {@code null} for none
     * @param tier its access tier, or {@code null} for that of the account
     */
    public record BlobCommit(
            WriteCondition condition,
            BlobHeaders headers,
            @Nullable String md5,
            Map<String, String> metadata,
            @Nullable String tags,
            @Nullable String tier) {

        private Request on(Request request) {
            condition.on(request);
            metadata.forEach((key, value) -> request.addHeader(HttpHeaderName.fromString(METADATA + key), value));
            set(request, BLOB_CONTENT_TYPE, headers.contentType());
            set(request, BLOB_ENCODING, headers.contentEncoding());
            set(request, BLOB_LANGUAGE, headers.contentLanguage());
            set(request, BLOB_DISPOSITION, headers.contentDisposition());
            set(request, BLOB_CACHE_CONTROL, headers.cacheControl());
            set(request, BLOB_MD5, md5);
            set(request, TAGS, tags);
            set(request, TIER, tier);
            return request;
        }
    }

    /**
     * The condition of a write.
     *
     * @param ifMatch the version, or {@code null}
     * @param absent whether no blob may exist
     * @param ifTags the condition on its tags, in the service's language, or {@code null}
     */
    public record WriteCondition(
            @Nullable String ifMatch,
            boolean absent,
            @Nullable String ifTags) {

        private void on(Request request) {
            set(request, HttpHeaderName.IF_MATCH, ifMatch);
            set(request, HttpHeaderName.IF_NONE_MATCH, absent ? "*" : null);
            set(request, IF_TAGS, ifTags);
        }
    }

    /**
     * The version of a blob that a write has made.
     *
     * @param etag its ETag, quoted
     * @param lastModified when it was made, by the service's clock; 1970 where the response lacks it
     */
    public record BlobVersion(String etag, Instant lastModified) {

        static BlobVersion of(StorageResponse response) {
            String etag = response.header(HttpHeaderName.ETAG);
            Instant modified = HttpDates.parse(response.header(HttpHeaderName.LAST_MODIFIED));
            if (etag == null) {
                throw new IllegalArgumentException("the response has no header ETag");
            }
            return new BlobVersion(HeaderValues.quoted(etag), modified == null ? Instant.EPOCH : modified);
        }
    }

    private static void set(Request request, HttpHeaderName header, @Nullable String value) {
        if (value != null) {
            request.addHeader(header, value);
        }
    }

    /** Returns a request with the whole content. */
    public Exchange<BlobVersion> put(BlobCommit commit, RequestBody content, String md5, RetrySettings retry) {
        Request request = commit.on(request(OperationType.WRITE, HttpMethod.PUT, "", content.length()))
                .addHeader(BLOB_TYPE, "BlockBlob")
                .addHeader(HttpHeaderName.CONTENT_MD5, md5)
                .changing(ChangedResources.of(url))
                .body(BYTES, content);
        return Exchange.of(request, retry, parser(MADE, BlobVersion::of));
    }

    /** Returns the request for one block, which changes nothing that a reader sees. */
    public Exchange<Boolean> stage(String blockId, RequestBody content, String md5, RetrySettings retry) {
        String query = "?comp=block" + Request.parameter("blockid", blockId);
        Request request = request(OperationType.WRITE, HttpMethod.PUT, query, content.length())
                .addHeader(HttpHeaderName.CONTENT_MD5, md5)
                .body(BYTES, content)
                .staged();
        return Exchange.of(request, retry, parser(MADE, response -> true));
    }

    /** Returns a request for which the service reads the whole content from another address (its page "Put Blob From URL"). */
    public Exchange<BlobVersion> putFrom(BlobCommit commit, SourceAccess source, long bytes, RetrySettings retry) {
        Request request = commit.on(request(OperationType.WRITE, HttpMethod.PUT, "", bytes))
                .addHeader(BLOB_TYPE, "BlockBlob")
                .addHeader(COPY_PROPERTIES, "false")
                .changing(ChangedResources.of(url));
        return Exchange.of(from(request, source::on), retry, parser(MADE, BlobVersion::of));
    }

    /**
     * Returns a request for one block, whose content the service reads from another address (its page "Put Block From URL").
     *
     * @param first the first byte of the block in the source
     */
    public Exchange<Boolean> stageFrom(
            String blockId, SourceAccess source, long first, long bytes, RetrySettings retry) {
        String query = "?comp=block" + Request.parameter("blockid", blockId);
        Request request =
                request(OperationType.WRITE, HttpMethod.PUT, query, bytes).staged();
        return Exchange.of(
                from(request, headers -> source.on(headers, first, bytes)), retry, parser(MADE, response -> true));
    }

    /**
     * Starts a copy that the service makes on and on after its response (its page "Copy Blob").
     *
     * @return a request for the id of the copy
     */
    public Exchange<String> startCopy(BlobCommit commit, SourceAccess source, RetrySettings retry) {
        Request request =
                commit.on(request(OperationType.WRITE, HttpMethod.PUT, "", 0)).changing(ChangedResources.of(url));
        return Exchange.of(
                from(request, source::on),
                retry,
                parser(COPYING, response -> Objects.requireNonNull(response.header(COPY_ID), "no copy id")));
    }

    /** Returns a request that ends a pending copy (the service's page "Abort Copy Blob"). */
    public Exchange<Boolean> abortCopy(String copyId, RetrySettings retry) {
        String query = "?comp=copy" + Request.parameter("copyid", copyId);
        Request request = request(OperationType.WRITE, HttpMethod.PUT, query, 0)
                .addHeader(COPY_ACTION, "abort")
                .changing(ChangedResources.of(url));
        return Exchange.of(request, retry, parser(ABORTED, response -> true));
    }

    /** The proof of the source is in the headers of attempts alone, which nothing keeps and nothing shows. */
    private Request from(Request request, Consumer<RequestHeaders> source) {
        return request.headersOfAttempt(
                retried == null ? source : reporting(retried).andThen(source));
    }

    /** Makes the blob of these blocks, in this order. */
    public Exchange<BlobVersion> commit(BlobCommit commit, List<String> blockIds, RetrySettings retry) {
        byte[] list = BlockListXml.body(blockIds);
        String md5 = Base64.getEncoder().encodeToString(Md5.of(ByteBuffer.wrap(list)));
        Request request = commit.on(request(OperationType.WRITE, HttpMethod.PUT, "?comp=blocklist", 0))
                .addHeader(HttpHeaderName.CONTENT_MD5, md5)
                .changing(ChangedResources.of(url))
                .body(XML, list);
        return Exchange.of(request, retry, parser(MADE, BlobVersion::of));
    }

    /** Returns a request for the staged and uncommitted blocks. */
    public Exchange<UncommittedBlocks> uncommitted(RetrySettings retry) {
        Request request = request(OperationType.READ, HttpMethod.GET, "?comp=blocklist&blocklisttype=uncommitted", 0);
        return Exchange.of(
                request,
                retry,
                parser(
                        READ,
                        response -> new UncommittedBlocks(
                                BlockListXml.uncommitted(response.body()),
                                response.header(StorageResponse.REQUEST_ID))));
    }

    /**
     * Makes the blob a copy of another one of the account.
     *
     * @param source the address of the other one, with its proof if that stands there
     * @return the status of the copy: {@code success}, or {@code pending} while the service still copies
     */
    public Exchange<String> copy(String source, RetrySettings retry) {
        Request request = request(OperationType.WRITE, HttpMethod.PUT, "", 0)
                .addHeader(COPY_SOURCE, source)
                .changing(ChangedResources.of(url));
        return Exchange.of(
                request,
                retry,
                parser(COPYING, response -> Objects.requireNonNull(response.header(COPY_STATUS), "no status")));
    }

    /**
     * A block that was staged and not committed.
     *
     * @param id its id, in Base64
     * @param size its bytes
     */
    public record StagedBlock(String id, long size) {}

    /**
     * The blocks that were staged and not committed.
     *
     * @param requestId the service's id of the response, or {@code null} if it gave none
     */
    public record UncommittedBlocks(
            List<StagedBlock> blocks, @Nullable String requestId) {}

    private Request request(OperationType type, HttpMethod method, String query, long bytes) {
        Request request = Request.of(verb, context.target(name), type, method, url + query)
                .costing(new RequestCost(ChangedResources.address(url), 1, bytes))
                .addHeaders(context.calls().view().headersOf(type, context.resource(name)));
        return retried == null ? request : request.headersOfAttempt(reporting(retried));
    }

    static <A> ResponseParser<A> parser(DocumentedStatus success, ResponseMeaning<A> meaning) {
        return success.parser(
                meaning,
                e -> new ParseResult.Unreadable<>(
                        "the response cannot be parsed as requested (" + e.getMessage() + ")", false));
    }
}
