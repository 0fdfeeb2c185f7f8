package io.stowline.transport.internal;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.time.Instant;
import reactor.core.publisher.Mono;

/** Authorizes each attempt by the service's time, as far as it is known; the innermost policy. */
final class AuthorizingPolicy implements HttpPipelinePolicy {

    private final Authorizer authorizer;
    private final ServerClock clock;

    AuthorizingPolicy(Authorizer authorizer, ServerClock clock) {
        this.authorizer = authorizer;
        this.clock = clock;
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        Instant now = clock.now();
        HttpRequest request = context.getHttpRequest();
        Call<Object> call = Call.in(context);
        call.authorizing();
        return authorizer.authorize(request, now).flatMap(proof -> {
            call.sent(now, proof);
            return next.process();
        });
    }
}
