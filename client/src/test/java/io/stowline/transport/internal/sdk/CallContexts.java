package io.stowline.transport.internal.sdk;

import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.Context;
import java.util.concurrent.atomic.AtomicReference;
import reactor.core.publisher.Mono;

/** Contexts of calls, which only a pipeline can make. */
final class CallContexts {

    private CallContexts() {}

    static HttpPipelineCallContext of(HttpRequest request) {
        return of(request, Context.NONE);
    }

    static HttpPipelineCallContext of(HttpRequest request, Context data) {
        AtomicReference<HttpPipelineCallContext> seen = new AtomicReference<>();
        HttpPipelinePolicy catching = (context, next) -> {
            seen.set(context);
            return Mono.empty();
        };
        HttpPipeline pipeline = new HttpPipelineBuilder()
                .httpClient(sent -> Mono.empty())
                .policies(catching)
                .build();
        pipeline.send(request, data).block();
        return seen.get();
    }
}
