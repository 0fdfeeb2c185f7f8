package io.stowline.blob.internal.request;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.error.RequestSecrets;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.MultipartReader;
import io.stowline.transport.internal.http.RequestHeaders;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.ChangedResources;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
import io.stowline.transport.internal.request.RequestIds;
import io.stowline.transport.internal.request.RequestTarget;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One request that deletes several blobs of a container, or moves them to another tier (the service's page "Blob Batch"). Each part has its
 * own proof. The parts are executed one by one and not as a whole. Immutable.
 */
public final class BlobBatchRequest {

    /** The most parts of a request. */
    public static final int MAX = 256;

    private static final HttpHeaderName TIER = HttpHeaderName.fromString("x-ms-access-tier");
    private static final HttpHeaderName SNAPSHOTS = HttpHeaderName.fromString("x-ms-delete-snapshots");
    private static final DocumentedStatus WHOLE = DocumentedStatus.status(202);
    private static final DocumentedStatus PART = DocumentedStatus.status(200, 202);
    private static final String LINE = "\r\n";
    private static final String ID = "Content-ID";

    private final BlobContext context;
    private final String verb;
    private final List<BatchedBlob> blobs;
    private final @Nullable String tier;
    private final boolean snapshots;

    /**
     * A request that is not sent yet.
     *
     * @param verb the caller's verb
     * @param blobs at most 256
     * @param tier the tier to move them to, or {@code null} to delete them
     * @param snapshots whether their snapshots are deleted with them
     */
    public BlobBatchRequest(
            BlobContext context, String verb, List<BatchedBlob> blobs, @Nullable String tier, boolean snapshots) {
        this.context = context;
        this.verb = verb;
        this.blobs = List.copyOf(blobs);
        this.tier = tier;
        this.snapshots = snapshots;
    }

    /**
     * A blob that a part is about.
     *
     * @param etag the only version that the part changes, quoted, or {@code null} for any
     */
    public record BatchedBlob(String name, @Nullable String etag) {}

    /** Returns the request with proofs of now. */
    public Mono<Exchange<List<Optional<ServiceError>>>> authorized(RetrySettings retry) {
        return Flux.fromIterable(blobs)
                .concatMap(blob -> context.service().pipeline().authorized(part(blob)))
                .collectList()
                .map(parts -> exchange(parts, retry));
    }

    private DirectRequest part(BatchedBlob blob) {
        RequestHeaders headers = new RequestHeaders().set(HttpHeaderName.CONTENT_LENGTH, "0");
        if (blob.etag != null) {
            headers.set(HttpHeaderName.IF_MATCH, blob.etag);
        }
        if (snapshots) {
            headers.set(SNAPSHOTS, "include");
        }
        String url = context.url(blob.name);
        return tier == null
                ? new DirectRequest(HttpMethod.DELETE, url, headers, null)
                : new DirectRequest(HttpMethod.PUT, url + "?comp=tier", headers.set(TIER, tier), null);
    }

    private Exchange<List<Optional<ServiceError>>> exchange(List<DirectRequest> parts, RetrySettings retry) {
        String boundary = "batch_" + RequestIds.next();
        String container = context.url();
        Request request = Request.of(
                        verb,
                        RequestTarget.of(context.name()),
                        OperationType.WRITE,
                        HttpMethod.POST,
                        container + "?restype=container&comp=batch")
                .costing(new RequestCost(ChangedResources.address(container), parts.size(), 0))
                .addHeaders(context.calls().view().headersOf(OperationType.WRITE, context.name()))
                .changing(kept -> blobs.forEach(blob -> kept.changed(ChangedResources.address(context.url(blob.name)))))
                .body("multipart/mixed; boundary=" + boundary, body(boundary, parts));
        return Exchange.of(request, retry, response -> read(response, parts));
    }

    private static byte[] body(String boundary, List<DirectRequest> parts) {
        StringBuilder body = new StringBuilder(parts.size() * 400);
        for (int i = 0; i < parts.size(); i++) {
            DirectRequest part = parts.get(i);
            body.append("--").append(boundary).append(LINE);
            body.append("Content-Type: application/http").append(LINE);
            body.append("Content-Transfer-Encoding: binary").append(LINE);
            body.append(ID).append(": ").append(i).append(LINE).append(LINE);
            body.append(part.getHttpMethod())
                    .append(' ')
                    .append(target(part))
                    .append(" HTTP/1.1")
                    .append(LINE);
            RequestHeaders headers = part.headers();
            for (int h = 0; h < headers.size(); h++) {
                body.append(headers.name(h))
                        .append(": ")
                        .append(headers.value(h))
                        .append(LINE);
            }
            body.append(LINE);
        }
        return body.append("--")
                .append(boundary)
                .append("--")
                .append(LINE)
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String target(DirectRequest part) {
        String address = DirectRequest.address(part);
        return address.substring(address.indexOf('/', address.indexOf("://") + 3));
    }

    private ParseResult<List<Optional<ServiceError>>> read(StorageResponse response, List<DirectRequest> requests) {
        String wrong = WHOLE.against(response.status());
        return wrong == null ? parts(response, requests) : new ParseResult.Unreadable<>(wrong);
    }

    /** The parts may come in any order. */
    private ParseResult<List<Optional<ServiceError>>> parts(StorageResponse response, List<DirectRequest> requests) {
        @Nullable Optional<ServiceError>[] found = newArray(blobs.size());
        MultipartReader parts = new MultipartReader(response.body());
        while (parts.next()) {
            int index = index(parts.partHeader(ID));
            if (!parts.isComplete()) {
                return new ParseResult.Unreadable<>("the batch response ends within a part");
            }
            if (index < 0 && parts.status() >= 400) {
                return new ParseResult.RefusedResponse<>(refusal(response, parts, requests));
            }
            String wrong = parts.status() >= 400 ? null : PART.against(parts.status());
            if (index < 0 || wrong != null) {
                return new ParseResult.Unreadable<>(
                        "a part of the batch response: " + (wrong == null ? "it names no request" : wrong));
            }
            if (found[index] != null) {
                return new ParseResult.Unreadable<>("the batch response has two parts for the request " + index);
            }
            found[index] = parts.status() >= 400
                    ? Optional.of(refusal(response, parts, requests.subList(index, index + 1)))
                    : Optional.empty();
        }
        for (Optional<ServiceError> one : found) {
            if (one == null) {
                return new ParseResult.Unreadable<>(
                        "the batch response has fewer parts than its " + blobs.size() + " requests");
            }
        }
        return new ParseResult.Value<>(Arrays.asList(found));
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays have no type parameters
    private static @Nullable Optional<ServiceError>[] newArray(int length) {
        return new Optional[length];
    }

    private int index(String id) {
        if (id.isEmpty() || id.length() > 3 || !id.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return -1;
        }
        int index = Integer.parseInt(id);
        return index < blobs.size() ? index : -1;
    }

    /** Each request within the batch carries a proof, which its refusal may repeat. */
    private static ServiceError refusal(StorageResponse response, MultipartReader part, List<DirectRequest> refused) {
        HttpHeaders headers = new HttpHeaders();
        for (String name : List.of("x-ms-error-code", "x-ms-request-id", "Retry-After")) {
            String value = masked(part.header(name), refused);
            if (!value.isEmpty()) {
                headers.set(HttpHeaderName.fromString(name), value);
            }
        }
        return ServiceError.ofPart(
                response,
                part.status(),
                headers,
                masked(part.body(), refused),
                Clock.systemUTC().instant());
    }

    private static String masked(String text, List<DirectRequest> refused) {
        String clean = text;
        for (DirectRequest request : refused) {
            clean = RequestSecrets.of(request).maskedIn(clean);
        }
        return clean;
    }
}
