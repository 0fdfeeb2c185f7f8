package io.stowline.transport.internal;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.stowline.retry.Deadline;
import io.stowline.retry.Ended;
import io.stowline.retry.RetryCall;
import io.stowline.retry.RetryEngine;
import java.util.Objects;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Sends an operation's attempts until one settles it; the outermost policy. What it fails with is a storage exception. */
final class RetryingPolicy implements HttpPipelinePolicy {

    private final RetryEngine engine;
    private final Scheduler timer;
    private final ServerClock clock;

    RetryingPolicy(RetryEngine engine, Scheduler timer, ServerClock clock) {
        this.engine = engine;
        this.timer = timer;
        this.clock = clock;
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        Call<Object> call = Call.in(context);
        RetryCall<HttpResponse> attempts = RetryCall.of(
                call.settings(),
                Deadline.in(call.settings().deadline(), timer),
                (response, error) -> call.judge(response, error, clock),
                attempt -> {
                    call.begin(attempt);
                    return next.clone().process();
                });
        return engine.execute(attempts.discarding(HttpResponse::close)).flatMap(ended -> settle(call, ended));
    }

    private static Mono<HttpResponse> settle(Call<Object> call, Ended<HttpResponse> ended) {
        return ended.succeeded()
                ? Mono.just(Objects.requireNonNull(ended.value()))
                : Mono.error(Failures.of(call, ended));
    }
}
