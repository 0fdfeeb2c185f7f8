package io.stowline.testkit.internal.proxy;

import io.stowline.testkit.RecordedExchange.Ending;
import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.Stage;
import io.stowline.testkit.internal.proxy.record.ExchangeResult;
import io.stowline.testkit.internal.proxy.record.Waiter;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request on its way through the proxy. Used by the thread of its connection only. */
final class ProxyExchange {

    private static final Logger LOG = LoggerFactory.getLogger(ProxyExchange.class);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private final SentRequest request;
    private final Stage.Next service;
    private final BooleanSupplier clientGone;
    private final Waiter waiter;
    private final long arrived;
    private final long timeoutSeconds;
    private String takenBy = "";
    private @Nullable StubResponse served;

    ProxyExchange(SentRequest request, Stage.Next service, BooleanSupplier clientGone, Waiter waiter) {
        this.request = request;
        this.service = service;
        this.clientGone = clientGone;
        this.waiter = waiter;
        this.arrived = waiter.nanoTime();
        this.timeoutSeconds = timeoutSeconds(request);
    }

    SentRequest request() {
        return request;
    }

    /** Goes the whole way. */
    FaultOutcome go(Rules rules) throws InterruptedException {
        Rule rule = rules.pick(request);
        if (rule == null) {
            return forward();
        }
        takenBy = rule.toString();
        return FaultAction.apply(rule.actions(), this);
    }

    ExchangeResult fate(FaultOutcome outcome) {
        return new ExchangeResult(outcome.ending(), outcome.reason(), takenBy, outcome.response(), served);
    }

    FaultOutcome forward() {
        try {
            StubResponse response = service.response(request);
            served = response;
            return FaultOutcome.responded(response);
        } catch (OversizedBodyException e) {
            LOG.warn("{} is not answered: {}", request, e.getMessage());
            return FaultOutcome.broken(Ending.FAILED, e.getMessage());
        } catch (IOException e) {
            return FaultOutcome.broken(Ending.UNREACHABLE, e.toString());
        }
    }

    /** Waits, and returns what became of the request in that time: {@code null} when it may go on. */
    @Nullable
    FaultOutcome pause(long nanos) throws InterruptedException {
        return await(NEVER, nanos);
    }

    /** Waits for a gate, and returns what became of the request in that time: {@code null} when it may go on. */
    @Nullable
    FaultOutcome await(CountDownLatch gate, long nanos) throws InterruptedException {
        long start = waiter.nanoTime();
        long left = nanos;
        boolean open = false;
        while (left > 0 && !open) {
            open = waiter.await(gate, Math.min(Math.min(left, untilTimeout()), POLL_NANOS));
            if (clientGone.getAsBoolean()) {
                return FaultOutcome.broken(Ending.DROPPED, "the client had gone");
            }
            if (untilTimeout() <= 0) {
                return timedOut();
            }
            left = nanos - (waiter.nanoTime() - start);
        }
        return null;
    }

    private long untilTimeout() {
        return timeoutSeconds == 0
                ? Long.MAX_VALUE
                : TimeUnit.SECONDS.toNanos(timeoutSeconds) - (waiter.nanoTime() - arrived);
    }

    private static long timeoutSeconds(SentRequest request) {
        String value = request.query().getOrDefault("timeout", "");
        return value.matches("[0-9]{1,9}") ? Long.parseLong(value) : 0;
    }

    private FaultOutcome timedOut() {
        String text = "Operation could not be completed within the specified time.";
        StubResponse response = request.service() == StorageService.TABLE
                ? StubResponse.tableError(500, "OperationTimedOut", text)
                : StubResponse.error(500, "OperationTimedOut", text);
        return FaultOutcome.timedOut("its timeout of " + timeoutSeconds + " s had passed", response);
    }
}
