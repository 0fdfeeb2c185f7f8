package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpResponse;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.ServerClock;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.observe.OperationObserver;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import reactor.test.scheduler.VirtualTimeScheduler;

/** First attempts of exchanges, without a wire. */
public final class Attempts {

    private static final ResponseJudge JUDGE =
            new ResponseJudge(new ServerClock(Clock.fixed(Bench.START, ZoneOffset.UTC)));

    private Attempts() {}

    public static RequestAttempt begin(Exchange<?> exchange, WriteTracker tracker) {
        VirtualTimeScheduler timer = VirtualTimeScheduler.create();
        ServiceLimits limits = Bench.limits(1, timer);
        AdmissionControl admission = new AdmissionControl(limits, timer, () -> false);
        Attempt first = Attempt.first(RetrySettings.defaults(), Deadline.in(Duration.ofMinutes(2), timer));
        return exchange.begin(first, tracker, admission.lease(exchange, tracker), OperationObserver.none());
    }

    public static Verdict end(Exchange<?> exchange, HttpResponse response) {
        return end(exchange, response, null);
    }

    public static Verdict end(Exchange<?> exchange, Throwable error) {
        return end(exchange, null, error);
    }

    private static Verdict end(Exchange<?> exchange, @Nullable HttpResponse response, @Nullable Throwable error) {
        return exchange.end(JUDGE, response, error, 0);
    }
}
