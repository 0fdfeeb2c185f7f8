package io.stowline.transport.internal.sdk;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Contexts;
import com.azure.core.util.ProgressReporter;
import io.stowline.observe.RequestEnd;
import io.stowline.retry.internal.engine.RetryResult;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.RequestAttempt;
import io.stowline.transport.internal.pipeline.RequestExecutor;
import io.stowline.transport.internal.pipeline.RequestExecutor.AttemptSender;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** A sender of the attempts of requests that clients of the Azure SDK have made, each on a copy of the request. Thread-safe. */
public final class SdkRequests {

    /** The key of the {@code RequestEnd} in the context of its call, once the request has ended. */
    public static final String REQUEST_END = "stowline-request-end";

    /** The key of the consumer of these. */
    public static final String OBSERVER = "stowline-request-observer";

    private static final Logger LOG = LoggerFactory.getLogger(SdkRequests.class);

    private final RequestExecutor executor;
    private final ResponseBodies bodies;
    private final Duration clockTolerance;

    public SdkRequests(RequestExecutor executor, Duration clockTolerance) {
        this.executor = executor;
        this.bodies = new ResponseBodies(executor.inFlight(), executor.timer());
        this.clockTolerance = clockTolerance;
    }

    /**
     * Sends the attempts of a request that its client's own pipeline authorizes.
     *
     * @param next sends an attempt; called for each
     */
    public Mono<RetryResult<HttpResponse>> send(
            HttpPipelineCallContext context, Exchange<Object> exchange, Supplier<Mono<HttpResponse>> next) {
        return reporting(context, exchange, executor.attempts(exchange, sender(context, attempt -> {
            attempt.handedOver();
            return next.get();
        })));
    }

    /**
     * Returns a sender of attempts, each on a copy of the request, which lies in the context of the call.
     *
     * @param next sends the request of the context
     */
    AttemptSender sender(HttpPipelineCallContext context, Function<RequestAttempt, Mono<HttpResponse>> next) {
        HttpRequest original = context.getHttpRequest();
        return (attempt, url) -> {
            context.setHttpRequest(original.copy().setUrl(url));
            ProgressReporter progress = Contexts.with(context.getContext()).getHttpRequestProgressReporter();
            if (progress != null) {
                progress.reset();
            }
            return bodies.whole(next.apply(attempt));
        };
    }

    /** Reports the end of the attempts to the tracker of the call, the policies around and the application's observer, as far as they are there. */
    Mono<RetryResult<HttpResponse>> reporting(
            HttpPipelineCallContext context, Exchange<Object> exchange, Mono<RetryResult<HttpResponse>> ended) {
        return ended.doOnNext(last -> report(context, exchange, last));
    }

    private void report(HttpPipelineCallContext context, Exchange<Object> exchange, RetryResult<HttpResponse> last) {
        SdkCallTracker.report(
                context, exchange, last, exchange.unresolved(executor.timer()).tolerating(clockTolerance));
        RequestEnd end = exchange.request().ended(exchange.clientRequestId(), last);
        context.setData(REQUEST_END, end);
        context.getData(OBSERVER).ifPresent(observer -> report(observer, end));
    }

    @SuppressWarnings("unchecked") // the key is known to StorageRetryPolicy alone
    private static void report(Object observer, RequestEnd end) {
        try {
            ((Consumer<? super RequestEnd>) observer).accept(end);
        } catch (Throwable thrown) {
            LOG.warn("an observer of requests has failed", thrown);
        }
    }

    /** Returns the response for the SDK client, its body still to be read, with header names that the SDK finds. */
    public HttpResponse handOver(HttpPipelineCallContext context, Exchange<?> exchange, HttpResponse response) {
        return bodies.guarded(context, exchange, SdkHeaderNames.in(response));
    }

    static boolean replayable(HttpRequest request) {
        BinaryData body = request.getBodyAsBinaryData();
        return body == null || body.isReplayable();
    }
}
