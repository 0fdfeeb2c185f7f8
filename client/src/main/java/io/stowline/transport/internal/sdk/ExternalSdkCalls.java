package io.stowline.transport.internal.sdk;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.engine.RetryResult;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.TokenRequestException;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
import io.stowline.transport.internal.request.RequestIds;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/**
 * The requests of Azure SDK clients that an application drives itself. No layer above the retry knows the meaning of a
 * second response there, so that after a lost one only a safely repeatable request is sent again, unless the
 * application allows more (RETRY-11). The end of the request is reported in the SDK's way: the last response, or the
 * last error.
 */
public final class ExternalSdkCalls {

    private final RetrySettings settings;
    private final boolean repeatAnything;
    private final @Nullable Service service;

    /** The service is null where clients of several are served. */
    public ExternalSdkCalls(RetrySettings settings, boolean repeatAnything, @Nullable Service service) {
        this.settings = settings;
        this.repeatAnything = repeatAnything;
        this.service = service;
    }

    public Exchange<Object> exchange(HttpPipelineCallContext context) {
        HttpRequest request = context.getHttpRequest();
        Operation operation =
                Operation.of(name(context), request.getUrl().getPath(), IdempotencyRules.effect(request), settings);
        Request made = Request.bySdkClient(
                operation,
                request,
                SdkRequests.replayable(request),
                repeatAnything || IdempotencyRules.twice(request),
                RequestCost.bySdkClient(service, request));
        return Exchange.of(operation, made, clientRequestId(request));
    }

    /** The SDK gives the full name of the method of its proxy, such as {@code ...MessagesImpl$MessagesService.enqueueSync}. */
    private static String name(HttpPipelineCallContext context) {
        String method = context.getData("caller-method")
                .orElse(context.getHttpRequest().getHttpMethod())
                .toString();
        return method.substring(method.lastIndexOf('.') + 1);
    }

    private static String clientRequestId(HttpRequest request) {
        String given = request.getHeaders().getValue(StorageResponse.CLIENT_REQUEST_ID);
        return given == null ? RequestIds.next() : given;
    }

    public static Mono<HttpResponse> settle(RetryResult<HttpResponse> ended) {
        HttpResponse last = ended.value();
        return last != null ? Mono.just(last) : Mono.error(reported(ended.error()));
    }

    /** The failure of a credential is reported as the credential's, not in the library's words. */
    private static Throwable reported(@Nullable Throwable error) {
        Throwable last = Exceptions.unwrap(error == null ? new IllegalStateException("no end") : error);
        Throwable cause = last instanceof TokenRequestException ? last.getCause() : null;
        return cause == null ? last : cause;
    }
}
