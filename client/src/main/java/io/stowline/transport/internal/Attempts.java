package io.stowline.transport.internal;

import com.azure.core.http.HttpResponse;
import io.stowline.retry.Attempt;
import io.stowline.retry.AttemptTimeout;
import io.stowline.retry.Deadline;
import io.stowline.retry.Ended;
import io.stowline.retry.Gate;
import io.stowline.retry.Permit;
import io.stowline.retry.RetryCall;
import io.stowline.retry.RetryEngine;
import java.net.MalformedURLException;
import java.net.URL;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Sends a request until an attempt settles it: retry, permit and time limit, outermost first. The retry quota and the breaker will
 * stand between retry and permit. Thread-safe.
 */
final class Attempts {

    /** Sends one attempt to this address; subscribed to once. */
    @FunctionalInterface
    interface Sender extends Function<URL, Mono<HttpResponse>> {}

    private final RetryEngine engine;
    private final Gate gate;
    private final Scheduler timer;
    private final ServerClock clock;
    private final Supplier<Sending> sendings;
    private final BooleanSupplier abandoned;

    Attempts(Times times, Gate gate, ServerClock clock, Supplier<Sending> sendings, BooleanSupplier abandoned) {
        this.engine = new RetryEngine(times.timer(), times.random());
        this.timer = times.timer();
        this.gate = gate;
        this.clock = clock;
        this.sendings = sendings;
        this.abandoned = abandoned;
    }

    Mono<Ended<HttpResponse>> run(Call<?> call, Sender sender) {
        RetryCall<HttpResponse> attempts = RetryCall.of(
                call.operation().settings(),
                Deadline.in(call.operation().settings().deadline(), timer),
                (response, error) -> call.judge(response, error, clock),
                attempt -> {
                    call.begin(attempt, sendings.get());
                    return admitted(call, attempt, Mono.defer(() -> limited(call, attempt, sender)));
                });
        return engine.execute(attempts.discarding(HttpResponse::close).replayableWhile(call::replayable));
    }

    /** Holds a permit from before the attempt is sent until its answer has arrived, whole where it is buffered (P1). */
    private Mono<HttpResponse> admitted(Call<?> call, Attempt attempt, Mono<HttpResponse> sent) {
        // Taken when subscribed to: an attempt that is cancelled before that would lose it.
        return Mono.defer(() -> {
            Permit first = call.takeFirstPermit();
            return first != null
                    ? holding(first, sent)
                    : gate.acquire(call.operation().priority(), attempt.startBy(), timer)
                            .flatMap(permit -> holding(permit, sent));
        });
    }

    /** Gives the permit back before the answer is handed on, so that nobody works while holding it. */
    private Mono<HttpResponse> holding(Permit permit, Mono<HttpResponse> sent) {
        if (abandoned.getAsBoolean()) {
            // The operation is being ended; the permit came free because another one was ended before it.
            permit.release();
            return Mono.never();
        }
        return sent.doOnTerminate(permit::release).doFinally(signal -> permit.release());
    }

    /** Ends the attempt on both sides: the server's by {@code timeout=}, ours a little later (R5). */
    private Mono<HttpResponse> limited(Call<?> call, Attempt attempt, Sender sender) {
        Sending sending = call.sending();
        Mono<HttpResponse> sent = Mono.defer(() -> {
                    sending.begin();
                    return sender.apply(timed(call.url(), attempt.serverTimeout()));
                })
                .contextWrite(seen -> seen.put(Sending.class, sending));
        // An answer that comes at the moment at which the time is over holds a connection.
        return AttemptTimeout.of(attempt, sent, timer).doOnDiscard(HttpResponse.class, HttpResponse::close);
    }

    /** A limit that an SDK client has asked for itself stays. */
    private static URL timed(String url, Duration serverTimeout) {
        int query = url.indexOf('?');
        String limit = "timeout=" + serverTimeout.toSeconds();
        try {
            if (query < 0) {
                return new URL(url + '?' + limit);
            }
            boolean limited = url.startsWith("timeout=", query + 1) || url.indexOf("&timeout=", query) >= 0;
            return new URL(limited ? url : url + '&' + limit);
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("not a URL: " + url, e);
        }
    }
}
