package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.stowline.transport.internal.account.Authorizer;
import io.stowline.transport.internal.account.ServerClock;
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
        Exchange<Object> call = Exchange.in(context);
        call.authorizing();
        Authorizer.Proof atOnce = authorizer.authorizeAtOnce(request, now);
        return atOnce != null
                ? send(call, now, atOnce, next)
                : authorizer.authorize(request, now).flatMap(proof -> send(call, now, proof, next));
    }

    private static Mono<HttpResponse> send(
            Exchange<Object> call, Instant now, Authorizer.Proof proof, HttpPipelineNextPolicy next) {
        call.sent(now, proof);
        return next.process();
    }
}
