package io.stowline.transport.internal.limits;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpResponse;
import io.stowline.retry.AttemptEnd.ThrottleScope;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.retry.internal.gate.PartitionedGate;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.limits.CircuitBreakerGuard.BreakerOpenException;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The admission that one attempt has from its service's limits until its verdict, from which the limits learn.
 * Thread-safe; ends once.
 */
public final class AdmissionLease {

    private static final AtomicIntegerFieldUpdater<AdmissionLease> OVER =
            AtomicIntegerFieldUpdater.newUpdater(AdmissionLease.class, "abandon");

    private final Request request;
    private final WriteTracker tracker;
    private final @Nullable ServiceRateLimiter rates;
    private final ServiceRateLimiter.@Nullable Charge charge;
    private final PartitionedGate<String> gates;
    private final Scheduler clock;
    private final boolean background;
    private volatile int abandon;
    private volatile CircuitBreakerGuard breaker = CircuitBreakerGuard.OFF;
    private volatile @Nullable Permit permit;
    private volatile long began;
    private volatile @Nullable Disposable watch;

    /**
     * A lease without admission.
     *
     * @param tracker knows what the attempt has sent and received
     * @param background whether the attempt waits behind others, and its latency for its target alone
     */
    public AdmissionLease(
            Request request,
            WriteTracker tracker,
            @Nullable ServiceRateLimiter rates,
            PartitionedGate<String> gates,
            Scheduler clock,
            boolean background) {
        this.request = request;
        this.tracker = tracker;
        this.rates = rates;
        this.charge = rates == null ? null : rates.charge(request);
        this.gates = gates;
        this.clock = clock;
        this.background = background;
    }

    /**
     * Passes the circuit breaker, which learns the end.
     *
     * @throws BreakerOpenException if it lets nothing through
     */
    public void pass(CircuitBreakerGuard guard) throws BreakerOpenException {
        if (!guard.tryPass()) {
            throw new BreakerOpenException(guard.state());
        }
        breaker = guard;
    }

    /**
     * Waits until the attempt fits into all rate targets. Its charge is settled at the end, and a wait that goes on ends then.
     *
     * @param deadline when the wait must be over
     */
    public Mono<Void> rated(Deadline deadline) {
        return charge == null ? Mono.empty() : charge.acquire(deadline);
    }

    /** Charges what the attempt has sent or received, and refunds the rest; all of it if nothing was sent. Runs once, at the end. */
    private void settleRates(@Nullable HttpResponse response) {
        if (rates == null || charge == null) {
            return;
        }
        if (tracker.written()) {
            rates.settle(request.cost(), moved(response));
            if (request.method() == HttpMethod.GET && response != null && refused(response.getStatusCode())) {
                rates.pay(new RequestCost(
                        request.cost().partition(), 1 - request.cost().entities(), 0));
            }
        } else {
            charge.giveBack();
        }
    }

    /** A read that was not carried out counts as one request, whatever it would have brought. */
    private static boolean refused(int status) {
        boolean clientError = status >= 400 && status < 500;
        return (clientError && status != 408) || status == 503;
    }

    /** A body that was sent counts whole: how much of one that broke off has arrived is unknown. */
    private long moved(@Nullable HttpResponse response) {
        if (request.method() != HttpMethod.GET) {
            return request.cost().bytes();
        }
        long received = tracker.received();
        return received > 0 || response == null ? received : length(response);
    }

    public void holds(Permit given) {
        began = clock.now(TimeUnit.NANOSECONDS);
        permit = given;
        if (abandon != 0) {
            // Cancelled while it was being given.
            given.release();
        }
    }

    /** Returns whether it holds a permit that counts against others. */
    public boolean counts() {
        Permit granted = permit;
        return abandon == 0 && granted != null && !granted.silent();
    }

    /** Returns the time of its permit. */
    public long began() {
        return began;
    }

    /** Gives up its place for others once it has had no response for long. Returns whether it does; not where too many are silent. */
    public boolean fallSilent() {
        Permit granted = permit;
        return granted != null && gates.fallSilent(granted, request.cost().partition());
    }

    /** Ends with it. */
    public void watchedBy(Disposable given) {
        watch = given;
        if (abandon != 0) {
            given.dispose();
        }
    }

    private void unwatch() {
        Disposable running = watch;
        if (running != null) {
            running.dispose();
        }
    }

    /**
     * Ends the attempt, with this response if there is one; called before its end is reported.
     *
     * @param now the time by the clock of its begin
     */
    public void ended(Verdict verdict, @Nullable HttpResponse response, long now) {
        boolean responded = response != null;
        if (responded) {
            gates.responded(request.cost().partition());
        }
        Permit granted = permit;
        if (granted == null || !OVER.compareAndSet(this, 0, 1)) {
            return;
        }
        unwatch();
        settleRates(response);
        Duration took = Duration.ofNanos(now - began);
        if (verdict.throttling() != ThrottleScope.NONE) {
            gates.throttled(granted, request.cost().partition(), verdict.throttling());
        } else if (responded && !verdict.ambiguous() && !background) {
            granted.responded(request.cost().latencyClass(request.name()));
        } else {
            granted.release();
        }
        if (healthy(verdict, responded)) {
            breaker.succeeded(took);
        } else {
            breaker.failed(took, verdict.reason());
        }
    }

    /** The length of a response's body, by its head. */
    private static long length(HttpResponse response) {
        String length = response.getHeaderValue(HttpHeaderName.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Math.max(0, Long.parseLong(length));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** True if the service did its work, a refusal included. */
    private static boolean healthy(Verdict verdict, boolean responded) {
        return responded
                && (verdict.kind() == Verdict.VerdictKind.SUCCESS || verdict.kind() == Verdict.VerdictKind.NEVER)
                && !verdict.ambiguous();
    }

    /** Ends an attempt that was given up, or never went out. */
    public void abandon() {
        if (!OVER.compareAndSet(this, 0, 1)) {
            return;
        }
        unwatch();
        Permit granted = permit;
        if (granted != null) {
            granted.release();
        }
        settleRates(null);
        breaker.releaseUnjudged();
    }
}
