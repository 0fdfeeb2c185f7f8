package io.stowline.transport.internal;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Contexts;
import com.azure.core.util.ProgressReporter;
import io.stowline.retry.Ended;
import io.stowline.transport.RequestFacts;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** Sends the attempts of requests that clients of the Azure SDK have made, each on a copy of the request. Thread-safe. */
final class SdkRequests {

    private static final Logger LOG = LoggerFactory.getLogger(SdkRequests.class);

    private final Attempts attempts;
    private final Bodies bodies;
    private final Duration clockTolerance;

    SdkRequests(Attempts attempts, Bodies bodies) {
        this(attempts, bodies, Doubt.TOLERANCE);
    }

    SdkRequests(Attempts attempts, Bodies bodies, Duration clockTolerance) {
        this.clockTolerance = clockTolerance;
        this.attempts = attempts;
        this.bodies = bodies;
    }

    Mono<Ended<HttpResponse>> send(
            HttpPipelineCallContext context, Call<Object> call, Supplier<Mono<HttpResponse>> next) {
        HttpRequest original = context.getHttpRequest();
        context.setData(Call.KEY, call);
        return attempts.run(call, url -> bodies.whole(attempt(context, original, url, next)))
                .doOnNext(ended -> tell(context, call, ended));
    }

    private static Mono<HttpResponse> attempt(
            HttpPipelineCallContext context, HttpRequest original, String url, Supplier<Mono<HttpResponse>> next) {
        context.setHttpRequest(original.copy().setUrl(url));
        ProgressReporter progress = Contexts.with(context.getContext()).getHttpRequestProgressReporter();
        if (progress != null) {
            progress.reset();
        }
        return next.get();
    }

    /** Tells our own holders, the policies around and the application's observer, as far as they are there. */
    private void tell(HttpPipelineCallContext context, Call<Object> call, Ended<HttpResponse> ended) {
        Exchanges.tell(context, call, ended, call.doubt(attempts.timer()).tolerating(clockTolerance));
        RequestFacts facts = new RequestFacts(
                call.operation().name(),
                call.operation().resource(),
                call.clientRequestId(),
                ended.log(),
                ended.stop());
        context.setData(FactsKeys.FACTS, facts);
        context.getData(FactsKeys.OBSERVER).ifPresent(observer -> tell(observer, facts));
    }

    @SuppressWarnings("unchecked") // the key is known to StorageRetryPolicy alone
    private static void tell(Object observer, RequestFacts facts) {
        try {
            ((Consumer<? super RequestFacts>) observer).accept(facts);
        } catch (RuntimeException thrown) {
            LOG.warn("an observer of requests has failed", thrown);
        }
    }

    /** The answer for the SDK client, its body still to be read. */
    HttpResponse handOver(HttpPipelineCallContext context, HttpResponse answer) {
        return bodies.guarded(context, answer);
    }

    static boolean replayable(HttpRequest request) {
        BinaryData body = request.getBodyAsBinaryData();
        return body == null || body.isReplayable();
    }
}
