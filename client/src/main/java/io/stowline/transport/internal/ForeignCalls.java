package io.stowline.transport.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.retry.Ended;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.StorageAccount.Service;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/**
 * The requests of Azure SDK clients that an application drives itself. Nobody above the retry knows there what a second answer means,
 * so that after a lost one only what may safely be done twice is sent again, unless the application allows more (RETRY-11). What came of the
 * request is told in the SDK's own way: the last answer, or the last error.
 */
final class ForeignCalls {

    private static final HttpHeaderName CLIENT_REQUEST_ID = HttpHeaderName.fromString("x-ms-client-request-id");

    private final RetrySettings settings;
    private final boolean repeatAnything;
    private final @Nullable Service service;

    /** The service is null where clients of several are served. */
    ForeignCalls(RetrySettings settings, boolean repeatAnything, @Nullable Service service) {
        this.settings = settings;
        this.repeatAnything = repeatAnything;
        this.service = service;
    }

    Call<Object> call(HttpPipelineCallContext context) {
        HttpRequest request = context.getHttpRequest();
        Operation operation =
                Operation.of(name(context), request.getUrl().getPath(), Repeatable.effect(request), settings);
        Asked asked = Asked.bySdkClient(
                request,
                SdkRequests.replayable(request),
                repeatAnything || Repeatable.twice(request),
                SdkLoads.of(service, request));
        return Call.of(operation, asked, clientRequestId(request));
    }

    /** The SDK gives the full name of the method of its proxy, such as {@code ...MessagesImpl$MessagesService.enqueueSync}. */
    private static String name(HttpPipelineCallContext context) {
        String method = context.getData("caller-method")
                .orElse(context.getHttpRequest().getHttpMethod())
                .toString();
        return method.substring(method.lastIndexOf('.') + 1);
    }

    private static String clientRequestId(HttpRequest request) {
        String given = request.getHeaders().getValue(CLIENT_REQUEST_ID);
        return given == null ? RequestIds.next() : given;
    }

    static Mono<HttpResponse> settle(Ended<HttpResponse> ended) {
        HttpResponse last = ended.value();
        return last != null ? Mono.just(last) : Mono.error(told(ended.error()));
    }

    /** Not in our own words for it: a credential's failure is the credential's. */
    private static Throwable told(@Nullable Throwable error) {
        Throwable last = Exceptions.unwrap(error == null ? new IllegalStateException("no end") : error);
        Throwable cause = last instanceof TokenRequestException ? last.getCause() : null;
        return cause == null ? last : cause;
    }
}
