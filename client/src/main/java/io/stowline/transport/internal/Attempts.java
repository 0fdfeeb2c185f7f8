package io.stowline.transport.internal;

import com.azure.core.http.HttpResponse;
import io.stowline.retry.Attempt;
import io.stowline.retry.AttemptTimeout;
import io.stowline.retry.Ended;
import io.stowline.retry.RetryCall;
import io.stowline.retry.RetryEngine;
import io.stowline.retry.RetryQuota;
import io.stowline.retry.Verdict;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Sends a request until an attempt settles it: retry with its quota, entrance and time limit, outermost first. Thread-safe.
 */
final class Attempts {

    /** Sends one attempt to this address; subscribed to once. */
    @FunctionalInterface
    interface Sender extends Function<String, Mono<HttpResponse>> {}

    private final RetryEngine engine;
    private final Entrance entrance;
    private final RetryQuota quota;
    private final Scheduler timer;
    private final ServerClock clock;
    private final Supplier<Sending> sendings;
    private final SilentEndpoints silent = new SilentEndpoints();

    Attempts(Times times, Limits limits, ServerClock clock, Supplier<Sending> sendings, BooleanSupplier abandoned) {
        this.engine = new RetryEngine(times.timer(), times.random());
        this.timer = times.timer();
        this.entrance = new Entrance(limits, timer, abandoned);
        this.quota = limits.quota();
        this.clock = clock;
        this.sendings = sendings;
    }

    Scheduler timer() {
        return timer;
    }

    Mono<Ended<HttpResponse>> run(Call<?> call, Sender sender) {
        RetryCall<HttpResponse> attempts = RetryCall.of(
                call.operation().settings(),
                call.operation().deadline(timer),
                (response, error) -> judged(call, response, error),
                attempt -> {
                    call.begin(attempt, sendings.get().timedBy(timer));
                    return call.prepared(entrance.admit(call, attempt, limited(call, attempt, sender)));
                });
        Manner manner = call.operation().manner();
        RetryCall<HttpResponse> tried = manner.untilDeadline() ? attempts.untilDeadline() : attempts;
        return engine.execute(tried.within(quota, manner.whenEmpty())
                .discarding(HttpResponse::close)
                .replayableWhile(call::replayable));
    }

    private Verdict judged(Call<?> call, @Nullable HttpResponse response, @Nullable Throwable error) {
        long now = timer.now(TimeUnit.NANOSECONDS);
        if (error != null) {
            silent.failed(call, error, now);
        }
        return call.judge(response, error, clock, now);
    }

    /** Ends the attempt on both sides: the server's by {@code timeout=}, ours a little later (RETRY-5). */
    private Mono<HttpResponse> limited(Call<?> call, Attempt attempt, Sender sender) {
        Mono<HttpResponse> sent = Mono.defer(() -> {
            call.sending().begin();
            long serverTimeout = attempt.serverTimeout().toSeconds();
            call.asking(serverTimeout, timer);
            return sender.apply(timed(call.url(), serverTimeout));
        });
        // Before the HTTP client hears of the cancel, for it would close the connection in an orderly way.
        return AttemptTimeout.of(attempt, sent.doOnCancel(call.sending()::abandon), timer);
    }

    /** A limit that an SDK client has asked for itself stays. */
    private static String timed(String url, long serverTimeout) {
        int query = url.indexOf('?');
        if (query < 0) {
            return url + "?timeout=" + serverTimeout;
        }
        boolean limited = url.startsWith("timeout=", query + 1) || url.indexOf("&timeout=", query) >= 0;
        return limited ? url : url + "&timeout=" + serverTimeout;
    }
}
