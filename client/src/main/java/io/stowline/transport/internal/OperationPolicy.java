package io.stowline.transport.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.stowline.retry.Ended;
import io.stowline.transport.internal.StorageAccount.Service;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The outermost policy of our own pipelines. Sends the attempts of a request: one of ours, or one that an SDK client makes for an
 * operation of ours; what these fail with is a storage exception. A request of an SDK client that the application drives itself ends
 * in the SDK's own way.
 */
final class OperationPolicy implements HttpPipelinePolicy {

    private static final HttpHeaderName CLIENT_REQUEST_ID = HttpHeaderName.fromString("x-ms-client-request-id");

    private final Attempts attempts;
    private final SdkRequests sdk;
    private final ForeignCalls foreign;
    private final InFlight inFlight;
    private final Observing observing;
    private final CallEnds ends;
    private final Service service;

    OperationPolicy(Attempts attempts, SdkRequests sdk, InFlight inFlight, PipelineSettings settings) {
        this.attempts = attempts;
        this.sdk = sdk;
        this.foreign = new ForeignCalls(settings.foreign(), false, settings.service());
        this.inFlight = inFlight;
        this.observing = settings.observing();
        this.ends = settings.ends();
        this.service = settings.service();
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        if (context.getData(Call.KEY).isPresent()) {
            return ours(context, next);
        }
        Operation operation = (Operation) context.getData(Operation.KEY).orElse(null);
        return bySdkClient(context, next, operation);
    }

    private Mono<HttpResponse> ours(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        Call<Object> call = Call.in(context);
        HttpRequest request = context.getHttpRequest();
        Mono<Ended<HttpResponse>> ended = attempts.run(call, url -> {
            request.setUrl(url);
            return next.clone().process();
        });
        return counted(call, settled(call, ended));
    }

    private Mono<HttpResponse> bySdkClient(
            HttpPipelineCallContext context, HttpPipelineNextPolicy next, @Nullable Operation operation) {
        HttpRequest request = context.getHttpRequest();
        Call<Object> call = operation == null ? foreign.call(context) : call(operation, request);
        request.setHeader(CLIENT_REQUEST_ID, call.clientRequestId());
        context.getData(ExtraHeaders.KEY).ifPresent(more -> ((ExtraHeaders) more).addTo(request.getHeaders()));
        Mono<Ended<HttpResponse>> ended =
                sdk.send(context, call, () -> next.clone().process());
        Mono<HttpResponse> answer = operation == null ? ended.flatMap(ForeignCalls::settle) : settled(call, ended);
        return counted(call, answer).map(whole -> sdk.handOver(context, whole));
    }

    private Call<Object> call(Operation operation, HttpRequest request) {
        Asked asked = Asked.bySdkClient(request, SdkRequests.replayable(request), true, SdkLoads.of(service, request));
        return Call.of(operation, asked, RequestIds.next());
    }

    private Mono<HttpResponse> counted(Call<Object> call, Mono<HttpResponse> answer) {
        return new UnderWay(answer, inFlight, call, ends);
    }

    private Mono<HttpResponse> settled(Call<Object> call, Mono<Ended<HttpResponse>> ended) {
        return ended.handle((end, answer) -> {
            observing.attempted(answer.contextView(), call, end);
            if (end.succeeded()) {
                answer.next(Objects.requireNonNull(end.value()));
            } else {
                answer.error(Failures.of(call, end));
            }
        });
    }
}
