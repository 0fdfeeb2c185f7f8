package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpResponse;
import io.stowline.retry.RetryResult;
import io.stowline.retry.Verdict;
import io.stowline.retry.engine.RetryCall;
import io.stowline.retry.engine.RetryEngine;
import io.stowline.retry.engine.RetryQuota;
import io.stowline.retry.internal.timeout.AttemptTimeout;
import io.stowline.retry.internal.timeout.TimeoutQueue;
import io.stowline.transport.internal.account.ServerClock;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.http.LocalBodyException;
import io.stowline.transport.internal.http.Standstill;
import io.stowline.transport.internal.http.WriteTracker;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.pipeline.StoragePipeline.PipelineSettings.RequestCompletionListener;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import io.stowline.transport.internal.request.ExecutionOptions;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** The one way of a request, of this library or of an SDK client, to one service. Thread-safe. */
public final class RequestExecutor {

    private final RetryEngine retries;
    private final RetryQuota quota;
    private final AdmissionControl admission;
    private final TimeoutQueue timeouts;
    private final ResponseJudge judge;
    private final Supplier<WriteTracker> trackers;
    private final Scheduler timer;
    private final OperationObserver observer;
    private final InFlightRegistry inFlight;
    private final RequestCompletionListener completion;
    private final SilentEndpoints silent = new SilentEndpoints();

    /**
     * An executor with limits of its service.
     *
     * @param clock the service's time, as far as it is known
     * @param trackers begins the record of what one attempt has written
     * @param observer counts requests as in flight and reports their attempts
     * @param completion hears the end of each request
     */
    public RequestExecutor(
            TimeSources times,
            ServiceLimits limits,
            ServerClock clock,
            Supplier<WriteTracker> trackers,
            OperationObserver observer,
            RequestCompletionListener completion) {
        this.timer = times.timer();
        this.retries = new RetryEngine(timer, times.random());
        this.quota = limits.quota();
        this.observer = observer;
        this.inFlight = observer.inFlight();
        this.admission = new AdmissionControl(limits, timer, inFlight::abandoned);
        this.timeouts = new TimeoutQueue(timer);
        this.judge = new ResponseJudge(clock);
        this.trackers = trackers;
        this.completion = completion;
    }

    /** A sender that authorizes and sends one attempt. */
    @FunctionalInterface
    public interface AttemptSender {

        /**
         * Sends an attempt.
         *
         * @param url its address, with the service's time limit
         * @return the response; subscribed to once
         */
        Mono<HttpResponse> send(RequestAttempt attempt, String url);
    }

    /** Sends a request of this library, and gives the meaning of its response or a {@link io.stowline.error.StorageException}. */
    <A> Mono<A> send(Exchange<A> exchange, AttemptSender sender) {
        return execute(exchange, sender, ended -> settled(exchange, ended, last -> exchange.value()));
    }

    /**
     * Sends a request the whole way, outermost step first: it counts as in flight, its end is settled, and its attempts are repeated until
     * one settles it.
     *
     * @param ending makes the result of the end of the attempts, such as {@link #settled}
     */
    public <A> Mono<A> execute(
            Exchange<?> exchange, AttemptSender sender, Function<Mono<RetryResult<HttpResponse>>, Mono<A>> ending) {
        return Mono.defer(() -> {
            Mono<RetryResult<HttpResponse>> ended = attempts(exchange, sender);
            Mono<A> settled = ending.apply(ended);
            return new InFlightMono<>(settled, inFlight, exchange, completion);
        });
    }

    /** Sends attempts until one settles the request; each is admitted, limited in time, authorized, sent and judged. */
    public Mono<RetryResult<HttpResponse>> attempts(Exchange<?> exchange, AttemptSender sender) {
        ExecutionOptions options = exchange.options();
        RetryCall<HttpResponse> retryCall = RetryCall.of(
                options.settings(),
                options.deadline(timer),
                (response, error) -> judged(exchange, response, error),
                plan -> {
                    WriteTracker tracker = trackers.get().timedBy(timer);
                    RequestAttempt attempt = exchange.begin(plan, tracker, admission.lease(exchange));
                    if (!attempt.wanted()) {
                        return Mono.error(new UnwantedAttemptException());
                    }
                    Mono<HttpResponse> sent = new SentMono(attempt, sender, timer);
                    Mono<HttpResponse> limited = limited(attempt, sent);
                    Mono<HttpResponse> admitted = admission.admit(attempt, limited);
                    return attempt.prepared(admitted);
                });
        RetryCall<HttpResponse> repeated = options.untilDeadline() ? retryCall.untilDeadline() : retryCall;
        return retries.execute(repeated.within(quota, options.whenQuotaEmpty())
                .discarding(HttpResponse::close)
                .replayableWhile(exchange::replayable)
                .renewedBy(exchange::progressed));
    }

    /** Ends an attempt on our side a little after the service's own limit (RETRY-5). */
    private Mono<HttpResponse> limited(RequestAttempt attempt, Mono<HttpResponse> sent) {
        ExecutionOptions options = attempt.exchange().options();
        Standstill standstill = options.standstill();
        return standstill == null
                ? AttemptTimeout.of(attempt.plan(), sent, timeouts)
                : AttemptTimeout.ofStandstill(
                        attempt.plan(), sent, timeouts, options.settings().attemptTimeout(), standstill::nanos);
    }

    private Verdict judged(Exchange<?> exchange, @Nullable HttpResponse response, @Nullable Throwable error) {
        long now = timer.now(TimeUnit.NANOSECONDS);
        if (error != null && !(error instanceof LocalBodyException)) {
            silent.failed(exchange, error, now);
        }
        return exchange.end(judge, response, error, now);
    }

    /**
     * Reports the attempts of a request to the listener of its operation, and gives its value or its exception.
     *
     * @param value the result of a success
     */
    public <A> Mono<A> settled(
            Exchange<?> exchange, Mono<RetryResult<HttpResponse>> ended, Function<RetryResult<HttpResponse>, A> value) {
        return new SettledMono<>(exchange, ended, value, observer);
    }

    /** Returns the clock and alarm of all waits. */
    public Scheduler timer() {
        return timer;
    }

    /** Returns the requests and operations in flight. */
    public InFlightRegistry inFlight() {
        return inFlight;
    }
}
