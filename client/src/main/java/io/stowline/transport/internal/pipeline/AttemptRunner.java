package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpResponse;
import io.stowline.retry.Attempt;
import io.stowline.retry.RetryResult;
import io.stowline.retry.Verdict;
import io.stowline.retry.engine.RetryCall;
import io.stowline.retry.engine.RetryEngine;
import io.stowline.retry.engine.RetryQuota;
import io.stowline.retry.internal.timeout.AttemptTimeout;
import io.stowline.retry.internal.timeout.TimeoutQueue;
import io.stowline.transport.internal.account.ServerClock;
import io.stowline.transport.internal.http.BufferedResponse;
import io.stowline.transport.internal.http.LocalBodyException;
import io.stowline.transport.internal.http.RelaySubscriber;
import io.stowline.transport.internal.http.Standstill;
import io.stowline.transport.internal.http.StrayResponseException;
import io.stowline.transport.internal.http.WriteTracker;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import io.stowline.transport.internal.request.ExecutionOptions;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/**
 * Sends a request until an attempt settles it: retry with its quota, admission and time limit, outermost first. Thread-safe.
 */
public final class AttemptRunner {

    /** Sends one attempt to this address; subscribed to once. */
    @FunctionalInterface
    interface Sender extends Function<String, Mono<HttpResponse>> {}

    private final RetryEngine engine;
    private final AdmissionControl admission;
    private final RetryQuota quota;
    private final Scheduler timer;
    private final TimeoutQueue timeouts;
    private final ServerClock clock;
    private final Supplier<WriteTracker> trackers;
    private final SilentEndpoints silent = new SilentEndpoints();

    public AttemptRunner(
            TimeSources times,
            ServiceLimits limits,
            ServerClock clock,
            Supplier<WriteTracker> trackers,
            BooleanSupplier abandoned) {
        this.engine = new RetryEngine(times.timer(), times.random());
        this.timer = times.timer();
        this.timeouts = new TimeoutQueue(timer);
        this.admission = new AdmissionControl(limits, timer, abandoned);
        this.quota = limits.quota();
        this.clock = clock;
        this.trackers = trackers;
    }

    Scheduler timer() {
        return timer;
    }

    /** Sends attempts until one settles the request. */
    Mono<RetryResult<HttpResponse>> run(Exchange<?> exchange, Sender sender) {
        ExecutionOptions options = exchange.options();
        RetryCall<HttpResponse> attempts = RetryCall.of(
                options.settings(),
                options.deadline(timer),
                (response, error) -> verdict(exchange, response, error),
                attempt -> attempt(exchange, attempt, sender));
        RetryCall<HttpResponse> tried = options.untilDeadline() ? attempts.untilDeadline() : attempts;
        return engine.execute(tried.within(quota, options.whenQuotaEmpty())
                .discarding(HttpResponse::close)
                .replayableWhile(exchange::replayable)
                .renewedBy(exchange::progressed));
    }

    /** One attempt: once it is admitted, it is sent within its time. Authorization is the last policy before the HTTP client. */
    private Mono<HttpResponse> attempt(Exchange<?> exchange, Attempt attempt, Sender sender) {
        WriteTracker tracker = trackers.get().timedBy(timer);
        exchange.begin(attempt, tracker);
        if (attempt.number() > 1 && !exchange.wantsAttempt()) {
            return Mono.error(new UnwantedAttemptException());
        }
        Mono<HttpResponse> sent = new AttemptMono(tracker, () -> send(exchange, attempt, sender));
        Mono<HttpResponse> limited = limited(exchange.options(), attempt, sent);
        Mono<HttpResponse> admitted = admission.admit(exchange, attempt, limited);
        return exchange.prepared(admitted);
    }

    private Mono<HttpResponse> limited(ExecutionOptions options, Attempt attempt, Mono<HttpResponse> sent) {
        Standstill standstill = options.standstill();
        return standstill == null
                ? AttemptTimeout.of(attempt, sent, timeouts)
                : AttemptTimeout.ofStandstill(
                        attempt, sent, timeouts, options.settings().attemptTimeout(), standstill::nanos);
    }

    /** Ends the attempt on both sides: the server's by {@code timeout=}, ours a little later (RETRY-5). */
    private Mono<HttpResponse> send(Exchange<?> exchange, Attempt attempt, Sender sender) {
        WriteTracker tracker = exchange.tracker();
        tracker.begin();
        long serverTimeout =
                exchange.options().serverSeconds(attempt, exchange.request().longestSeconds());
        exchange.requesting(serverTimeout, timer);
        Mono<HttpResponse> response = sender.apply(timed(exchange.url(), serverTimeout));
        Mono<HttpResponse> own = tracker.ours() ? response : response.flatMap(AttemptRunner::unlessStray);
        return tracker.feed() == null ? own : own.flatMap(BufferedResponse::fed);
    }

    private Verdict verdict(Exchange<?> exchange, @Nullable HttpResponse response, @Nullable Throwable error) {
        long now = timer.now(TimeUnit.NANOSECONDS);
        if (error != null && !(error instanceof LocalBodyException)) {
            silent.failed(exchange, error, now);
        }
        return exchange.judge(response, error, clock, now);
    }

    /** Our own HTTP client has looked already, while the connection was the request's. */
    private static Mono<HttpResponse> unlessStray(HttpResponse response) {
        StrayResponseException stray = StrayResponseException.against(response);
        if (stray == null) {
            return Mono.just(response);
        }
        response.close();
        return Mono.error(stray);
    }

    /** A time-out that an SDK client has set itself stays. */
    private static String timed(String url, long serverTimeout) {
        int query = url.indexOf('?');
        if (query < 0) {
            return url + "?timeout=" + serverTimeout;
        }
        boolean limited = url.startsWith("timeout=", query + 1) || url.indexOf("&timeout=", query) >= 0;
        return limited ? url : url + "&timeout=" + serverTimeout;
    }

    /**
     * An attempt on the wire. A cancel reaches the write tracker before the HTTP client, which would close the connection in an orderly way.
     * One operator instead of two, since every attempt goes through it.
     */
    private static final class AttemptMono extends Mono<HttpResponse> {

        private final WriteTracker tracker;
        private final Supplier<Mono<HttpResponse>> send;

        /** With what sends the request, called at the subscription. */
        AttemptMono(WriteTracker tracker, Supplier<Mono<HttpResponse>> send) {
            this.tracker = tracker;
            this.send = send;
        }

        @Override
        public void subscribe(CoreSubscriber<? super HttpResponse> actual) {
            Mono<HttpResponse> sent;
            try {
                sent = send.get();
            } catch (Throwable thrown) {
                Operators.error(actual, thrown);
                return;
            }
            sent.subscribe(new Run(tracker, actual));
        }

        /** One subscriber's attempt. */
        private static final class Run extends RelaySubscriber<HttpResponse, HttpResponse> {

            private final WriteTracker tracker;

            Run(WriteTracker tracker, CoreSubscriber<? super HttpResponse> actual) {
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
