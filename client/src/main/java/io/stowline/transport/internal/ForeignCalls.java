package io.stowline.transport.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.retry.Ended;
import io.stowline.retry.RetrySettings;
import java.util.UUID;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/**
 * The requests of Azure SDK clients that an application drives itself. Nobody above the retry knows there what a second answer means,
 * so that after a lost one only what may safely be done twice is sent again, unless the application allows more (R11). What came of the
 * request is told in the SDK's own way: the last answer, or the last error.
 */
final class ForeignCalls {

    private static final HttpHeaderName CLIENT_REQUEST_ID = HttpHeaderName.fromString("x-ms-client-request-id");
    private static final HttpHeaderName LEASE_ACTION = HttpHeaderName.fromString("x-ms-lease-action");
    private static final HttpHeaderName COPY_SOURCE = HttpHeaderName.fromString("x-ms-copy-source");

    private final RetrySettings settings;
    private final boolean repeatAnything;

    ForeignCalls(RetrySettings settings, boolean repeatAnything) {
        this.settings = settings;
        this.repeatAnything = repeatAnything;
    }

    Call<Object> call(HttpPipelineCallContext context) {
        HttpRequest request = context.getHttpRequest();
        String path = request.getUrl().getPath();
        String name = String.valueOf(context.getData("caller-method").orElse(request.getHttpMethod()));
        Effect effect = reads(request) ? Effect.READ : Effect.WRITE;
        Asked asked = Asked.bySdkClient(
                request.getUrl().toString(), SdkRequests.replayable(request), repeatAnything || repeatable(request));
        return Call.of(Operation.of(name, path, effect, settings), asked, clientRequestId(request));
    }

    private static String clientRequestId(HttpRequest request) {
        String given = request.getHeaders().getValue(CLIENT_REQUEST_ID);
        return given == null ? UUID.randomUUID().toString() : given;
    }

    private static boolean reads(HttpRequest request) {
        return request.getHttpMethod() == HttpMethod.GET || request.getHttpMethod() == HttpMethod.HEAD;
    }

    /**
     * Whether doing it twice leaves the store as doing it once, and the second answer is as true as the first would have been: reads, and
     * writes that set something whole without a condition. Appending, leasing, copying, deleting and sending are not of that kind.
     */
    private static boolean repeatable(HttpRequest request) {
        HttpMethod method = request.getHttpMethod();
        boolean sets = method == HttpMethod.PUT || method == HttpMethod.PATCH;
        return reads(request) || (sets && !conditional(request.getHeaders()) && !special(request));
    }

    private static boolean conditional(HttpHeaders headers) {
        return headers.getValue(HttpHeaderName.IF_MATCH) != null
                || headers.getValue(HttpHeaderName.IF_NONE_MATCH) != null
                || headers.getValue(HttpHeaderName.IF_UNMODIFIED_SINCE) != null
                || headers.getValue(HttpHeaderName.IF_MODIFIED_SINCE) != null;
    }

    private static boolean special(HttpRequest request) {
        String query = String.valueOf(request.getUrl().getQuery());
        return query.contains("comp=appendblock")
                || query.contains("popreceipt=")
                || query.contains("restype=container")
                || request.getHeaders().getValue(LEASE_ACTION) != null
                || request.getHeaders().getValue(COPY_SOURCE) != null;
    }

    static Mono<HttpResponse> settle(Ended<HttpResponse> ended) {
        HttpResponse last = ended.value();
        return last != null
                ? Mono.just(last)
                : Mono.error(
                        Exceptions.unwrap(ended.error() == null ? new IllegalStateException("no end") : ended.error()));
    }
}
