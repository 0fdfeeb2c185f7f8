package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Contexts;
import com.azure.core.util.ProgressReporter;
import io.stowline.retry.RetryResult;
import io.stowline.transport.StorageRetryPolicy.RequestFacts;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** Sends the attempts of requests that clients of the Azure SDK have made, each on a copy of the request. Thread-safe. */
public final class SdkRequests {

    /** The key of a request's facts in the context of its call, once the request has ended. */
    public static final String FACTS = "stowline-request-facts";

    /** The key of the consumer of these facts. */
    public static final String OBSERVER = "stowline-request-observer";

    private static final Logger LOG = LoggerFactory.getLogger(SdkRequests.class);

    private final AttemptRunner attempts;
    private final ResponseBodies bodies;
    private final Duration clockTolerance;

    public SdkRequests(AttemptRunner attempts, ResponseBodies bodies) {
        this(attempts, bodies, UnresolvedAttempts.TOLERANCE);
    }

    SdkRequests(AttemptRunner attempts, ResponseBodies bodies, Duration clockTolerance) {
        this.clockTolerance = clockTolerance;
        this.attempts = attempts;
        this.bodies = bodies;
    }

    public Mono<RetryResult<HttpResponse>> send(
            HttpPipelineCallContext context, Exchange<Object> exchange, Supplier<Mono<HttpResponse>> next) {
        HttpRequest original = context.getHttpRequest();
        context.setData(Exchange.KEY, exchange);
        return attempts.run(exchange, url -> bodies.whole(attempt(context, original, url, next)))
                .doOnNext(ended -> tell(context, exchange, ended));
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
    private void tell(HttpPipelineCallContext context, Exchange<Object> exchange, RetryResult<HttpResponse> ended) {
        SdkCallTracker.tell(
                context, exchange, ended, exchange.unresolved(attempts.timer()).tolerating(clockTolerance));
        RequestFacts requestFacts = new RequestFacts(
                exchange.request().name(),
                exchange.request().resource(),
                exchange.clientRequestId(),
                ended.log(),
                ended.stop());
        context.setData(FACTS, requestFacts);
        context.getData(OBSERVER).ifPresent(observer -> tell(observer, requestFacts));
    }

    @SuppressWarnings("unchecked") // the key is known to StorageRetryPolicy alone
    private static void tell(Object observer, RequestFacts requestFacts) {
        try {
            ((Consumer<? super RequestFacts>) observer).accept(requestFacts);
        } catch (Throwable thrown) {
            LOG.warn("an observer of requests has failed", thrown);
        }
    }

    /** The response for the SDK client, its body still to be read, with header names that the SDK finds. */
    public HttpResponse handOver(HttpPipelineCallContext context, HttpResponse response) {
        return bodies.guarded(context, SdkHeaderNames.in(response));
    }

    static boolean replayable(HttpRequest request) {
        BinaryData body = request.getBodyAsBinaryData();
        return body == null || body.isReplayable();
    }
}
