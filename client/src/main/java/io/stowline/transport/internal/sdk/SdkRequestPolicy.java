package io.stowline.transport.internal.sdk;

import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.stowline.retry.internal.engine.RetryResult;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.error.Redaction;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.pipeline.AuthorizedClient;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.RequestExecutor;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.pipeline.StoragePipeline.PipelineSettings;
import io.stowline.transport.internal.request.ExtraHeaders;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
import io.stowline.transport.internal.request.RequestIds;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Adapter that takes the requests of SDK clients to the executor of this library's own requests; no policy follows it. A request that a
 * client makes for an operation of this library fails with a storage exception. A request of a client that the application drives itself
 * ends in the SDK's own way.
 */
final class SdkRequestPolicy implements HttpPipelinePolicy {

    private final RequestExecutor executor;
    private final AuthorizedClient client;
    private final SdkRequests sdk;
    private final ExternalSdkCalls foreign;
    private final Service service;

    private SdkRequestPolicy(StoragePipeline pipeline) {
        PipelineSettings settings = pipeline.settings();
        this.executor = pipeline.executor();
        this.client = pipeline.client();
        this.sdk = new SdkRequests(executor, settings.clockTolerance());
        this.foreign = new ExternalSdkCalls(settings.foreign(), false, settings.service());
        this.service = settings.service();
    }

    /** Returns the pipeline of one service for SDK clients. */
    static HttpPipeline of(StoragePipeline pipeline) {
        return new HttpPipelineBuilder()
                .policies(new SdkRequestPolicy(pipeline))
                .httpClient(request -> Mono.error(new IllegalStateException("the policy sends the requests")))
                .build();
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        HttpRequest request = context.getHttpRequest();
        Operation operation = (Operation) context.getData(Operation.KEY).orElse(null);
        Exchange<Object> exchange = operation == null ? foreign.exchange(context) : exchange(operation, request);
        request.setHeader(StorageResponse.CLIENT_REQUEST_ID, exchange.clientRequestId());
        context.getData(ExtraHeaders.KEY).ifPresent(more -> ((ExtraHeaders) more).forEach(request::setHeader));
        return executor.execute(
                        exchange,
                        sdk.sender(
                                context,
                                attempt -> client.send(attempt, context.getHttpRequest(), context.getContext())),
                        ended -> ending(operation, exchange, sdk.reporting(context, exchange, ended)))
                .map(response -> sdk.handOver(context, exchange, response));
    }

    private Mono<HttpResponse> ending(
            @Nullable Operation operation, Exchange<Object> exchange, Mono<RetryResult<HttpResponse>> ended) {
        return operation == null
                ? ended.flatMap(ExternalSdkCalls::settle)
                        .map(Redaction::of)
                        .onErrorMap(error -> Redaction.of(error, exchange.secrets()))
                : executor.settled(exchange, ended, last -> Objects.requireNonNull(last.value()));
    }

    private Exchange<Object> exchange(Operation operation, HttpRequest request) {
        Request made = Request.bySdkClient(
                operation, request, SdkRequests.replayable(request), true, RequestCost.bySdkClient(service, request));
        return Exchange.of(operation, made, RequestIds.next());
    }
}
