package io.stowline.transport.internal;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.stowline.retry.Attempt;
import io.stowline.retry.AttemptTimeout;
import java.net.MalformedURLException;
import java.net.URL;
import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Ends an attempt on both sides: the server's by {@code timeout=}, ours a little later (R5). */
final class AttemptPolicy implements HttpPipelinePolicy {

    private final Scheduler timer;

    AttemptPolicy(Scheduler timer) {
        this.timer = timer;
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        Call<Object> call = Call.in(context);
        Attempt attempt = call.attempt();
        Sending sending = call.sending();
        context.getHttpRequest().setUrl(limited(call.request().url(), attempt.serverTimeout()));
        Mono<HttpResponse> sent = next.process().contextWrite(seen -> seen.put(Sending.class, sending));
        return AttemptTimeout.of(attempt, sent, timer);
    }

    private static URL limited(String url, Duration serverTimeout) {
        char separator = url.indexOf('?') < 0 ? '?' : '&';
        try {
            return new URL(url + separator + "timeout=" + serverTimeout.toSeconds());
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("not a URL: " + url, e);
        }
    }
}
