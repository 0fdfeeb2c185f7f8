package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpResponse;
import io.stowline.retry.internal.engine.RetryCall;
import io.stowline.retry.internal.engine.RetryEngine;
import io.stowline.retry.internal.engine.RetryQuota;
import io.stowline.retry.internal.engine.RetryResult;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.retry.internal.timeout.AttemptTimeout;
import io.stowline.retry.internal.timeout.TimeoutQueue;
import io.stowline.transport.internal.account.ServerClock;
import io.stowline.transport.internal.concurrent.FatalErrors;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.http.HttpDates;
import io.stowline.transport.internal.http.LocalBodyException;
import io.stowline.transport.internal.http.RelaySubscriber;
import io.stowline.transport.internal.http.Standstill;
import io.stowline.transport.internal.http.StrayResponseException;
import io.stowline.transport.internal.http.response.BufferedResponse;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.limits.UnwantedAttemptException;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.observe.SilentEndpoints;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import io.stowline.transport.internal.request.ExecutionOptions;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/**
 * The one way of a request, of this library or of an SDK client, to one service. Its steps, outermost first:
 *
 * <ol>
 *   <li>{@link InFlightMono} counts the request as in flight, and refuses it once the client is closed.
 *   <li>{@link #settled} reports the attempts, and makes the value or the exception.
 *   <li>{@link RetryEngine} repeats the attempt until a verdict, the deadline or the quota ends it.
 *   <li>{@link AdmissionControl} admits the attempt by breaker, rates and permit.
 *   <li>{@link AttemptTimeout} limits its time.
 *   <li>{@link AuthorizedClient} authorizes and sends it.
 *   <li>{@link ResponseJudge} gives the verdict.
 * </ol>
 *
 * <p>Thread-safe.
 */
public final class RequestExecutor {

    private final RetryEngine retries;
    private final RetryQuota quota;
    private final AdmissionControl admission;
    private final TimeoutQueue timeouts;
    private final ServerClock clock;
    private final ResponseJudge judge;
    private final Supplier<WriteTracker> trackers;
    private final Scheduler timer;
    private final OperationObserver observer;
    private final InFlightRegistry inFlight;
    private final Consumer<Exchange<?>> completion;
    private final SilentEndpoints silent = new SilentEndpoints();

    /**
     * Makes an executor with the limits of its service.
     *
     * @param clock the service's time, as far as it is known
     * @param trackers begins the record of what one attempt has written
     * @param observer counts requests as in flight and reports their attempts
     * @param completion is notified of the end of each request
     */
    public RequestExecutor(
            TimeSources times,
            ServiceLimits limits,
            ServerClock clock,
            Supplier<WriteTracker> trackers,
            OperationObserver observer,
            Consumer<Exchange<?>> completion) {
        this.timer = times.timer();
        this.retries = new RetryEngine(timer, times.random());
        this.quota = limits.quota();
        this.observer = observer;
        this.inFlight = observer.inFlight();
        this.admission = new AdmissionControl(limits, timer, inFlight::abandoned);
        this.timeouts = new TimeoutQueue(timer);
        this.clock = clock;
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
        return new InFlightMono<>(() -> ending.apply(attempts(exchange, sender)), inFlight, exchange, completion);
    }

    /** Sends attempts until one settles the request; each is admitted, limited in time, authorized, sent and judged. */
    public Mono<RetryResult<HttpResponse>> attempts(Exchange<?> exchange, AttemptSender sender) {
        return retries.execute(new ExchangeCall(exchange, sender));
    }

    /** The attempts of one exchange. */
    private final class ExchangeCall extends RetryCall<HttpResponse> {

        private final Exchange<?> exchange;
        private final AttemptSender sender;

        ExchangeCall(Exchange<?> exchange, AttemptSender sender) {
            super(
                    exchange.options().settings(),
                    exchange.options().deadline(timer),
                    quota,
                    exchange.options().whenQuotaEmpty(),
                    exchange.options().untilDeadline());
            this.exchange = exchange;
            this.sender = sender;
        }

        @Override
        protected Mono<HttpResponse> send(Attempt plan) {
            WriteTracker tracker = trackers.get();
            tracker.setClock(timer);
            RequestAttempt attempt = exchange.begin(plan, tracker, admission.lease(exchange, tracker), observer);
            if (!attempt.wanted()) {
                return Mono.error(new UnwantedAttemptException());
            }
            Mono<HttpResponse> sent = new SentMono(attempt, sender, timer);
            Mono<HttpResponse> limited = limited(attempt, sent);
            Mono<HttpResponse> admitted = admission.admit(attempt, limited);
            return attempt.prepared(admitted);
        }

        @Override
        public Verdict classify(@Nullable HttpResponse response, @Nullable Throwable error) {
            return judged(exchange, response, error);
        }

        @Override
        protected void discard(HttpResponse response) {
            response.close();
        }

        @Override
        protected boolean replayable() {
            return exchange.attempt().replayable();
        }

        @Override
        protected boolean progressed() {
            return exchange.attempt().progressed();
        }
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
        Throwable cause = error == null ? null : Exceptions.unwrap(error);
        // The others are the client's own doing, or another service's.
        if (cause != null && !(error instanceof LocalBodyException) && !ErrorMapper.isUnsent(cause)) {
            RequestAttempt attempt = exchange.attempt();
            silent.failed(attempt.url(), attempt, cause, exchange.secrets(), now);
        }
        if (response != null && observer.hasListener() && clock.comparesAt(now)) {
            clock.compare(HttpDates.parse(response.getHeaderValue(HttpHeaderName.DATE)), now);
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

    /**
     * The result of the attempt that settled a request, or the error of all attempts. Reactor's own operator would restore thread-locals each
     * time.
     */
    private static final class SettledMono<A> extends MonoOperator<RetryResult<HttpResponse>, A> {

        private final Exchange<?> exchange;
        private final Function<RetryResult<HttpResponse>, A> value;
        private final OperationObserver observer;

        SettledMono(
                Exchange<?> exchange,
                Mono<RetryResult<HttpResponse>> ended,
                Function<RetryResult<HttpResponse>, A> value,
                OperationObserver observer) {
            super(ended);
            this.exchange = exchange;
            this.value = value;
            this.observer = observer;
        }

        @Override
        public void subscribe(CoreSubscriber<? super A> actual) {
            source.subscribe(new Settlement<>(this, actual));
        }

        private A result(RetryResult<HttpResponse> last) {
            if (last.succeeded()) {
                return value.apply(last);
            }
            exchange.failed(last);
            throw ErrorMapper.of(exchange, last);
        }

        /** One subscriber's request until its settlement. */
        private static final class Settlement<A> extends RelaySubscriber<RetryResult<HttpResponse>, A> {

            private final SettledMono<A> parent;
            private boolean failed;

            Settlement(SettledMono<A> parent, CoreSubscriber<? super A> actual) {
                super(actual);
                this.parent = parent;
            }

            @Override
            public void onNext(RetryResult<HttpResponse> last) {
                A result;
                try {
                    parent.observer.attempted(
                            currentContext(), parent.exchange.request(), parent.exchange.clientRequestId(), last);
                    result = parent.result(last);
                } catch (Throwable thrown) {
                    upstream().cancel();
                    failed = true;
                    actual.onError(Exceptions.isFatal(thrown) ? FatalErrors.carrier(thrown) : thrown);
                    return;
                }
                actual.onNext(result);
            }

            @Override
            public void onComplete() {
                if (!failed) {
                    actual.onComplete();
                }
            }
        }
    }

    /**
     * An admitted attempt, which is authorized and sent at the subscription. A cancel reaches the write tracker before the HTTP client, which would
     * close the connection in an orderly way. One operator instead of two, since every attempt goes through it.
     */
    private static final class SentMono extends Mono<HttpResponse> {

        private final RequestAttempt attempt;
        private final AttemptSender sender;
        private final Scheduler timer;

        SentMono(RequestAttempt attempt, AttemptSender sender, Scheduler timer) {
            this.attempt = attempt;
            this.sender = sender;
            this.timer = timer;
        }

        @Override
        public void subscribe(CoreSubscriber<? super HttpResponse> actual) {
            Mono<HttpResponse> sent;
            try {
                sent = sent();
            } catch (Throwable thrown) {
                Operators.error(actual, thrown);
                return;
            }
            sent.subscribe(new Sending(attempt.tracker(), actual));
        }

        private Mono<HttpResponse> sent() {
            WriteTracker tracker = attempt.tracker();
            Mono<HttpResponse> response = sender.send(attempt, attempt.start(timer));
            Mono<HttpResponse> own = tracker.ours() ? response : response.flatMap(SentMono::unlessStray);
            return tracker.feed() == null ? own : own.flatMap(BufferedResponse::fed);
        }

        /** The library's HTTP client has checked already, while the connection was the request's. */
        private static Mono<HttpResponse> unlessStray(HttpResponse response) {
            StrayResponseException stray = StrayResponseException.against(response);
            if (stray == null) {
                return Mono.just(response);
            }
            response.close();
            return Mono.error(stray);
        }

        /** One subscriber's sending of an attempt. */
        private static final class Sending extends RelaySubscriber<HttpResponse, HttpResponse> {

            private final WriteTracker tracker;

            Sending(WriteTracker tracker, CoreSubscriber<? super HttpResponse> actual) {
                super(actual);
                this.tracker = tracker;
            }

            @Override
            public void cancel() {
                try {
                    tracker.abandon();
                } finally {
                    upstream().cancel();
                }
            }

            @Override
            public void onNext(HttpResponse response) {
                actual.onNext(response);
            }
        }
    }
}
