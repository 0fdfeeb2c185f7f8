package io.stowline;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.util.List;
import reactor.core.publisher.Mono;

/** Notes what lies in the context of each call when it has ended. */
final class Watching implements HttpPipelinePolicy {

    private final List<Object> seen;

    Watching(List<Object> seen) {
        this.seen = seen;
    }

    @Override
    public HttpPipelinePosition getPipelinePosition() {
        return HttpPipelinePosition.PER_CALL;
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        return next.process().doOnNext(response -> context.getData(StorageRetryPolicy.REQUEST_END)
                .ifPresent(seen::add));
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        HttpResponse response = next.processSync();
        context.getData(StorageRetryPolicy.REQUEST_END).ifPresent(seen::add);
        return response;
    }
}
