package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpResponse;
import io.stowline.retry.Attempt;
import io.stowline.retry.internal.gate.PartitionedGate;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.transport.internal.limits.AdmissionLease;
import io.stowline.transport.internal.limits.CircuitBreakerGuard;
import io.stowline.transport.internal.limits.CircuitBreakerGuard.BreakerOpenException;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.limits.ServiceRateLimiter;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * What stands before each attempt: circuit breaker, rate limit, permit, in this order, so that nobody holds a permit while waiting for
 * another thing (PERMIT-4). The breaker is that of the primary; the way to the secondary has none. Thread-safe.
 */
final class AdmissionControl {

    private final CircuitBreakerGuard breaker;
    private final @Nullable ServiceRateLimiter rates;
    private final PartitionedGate<String> gates;
    private final Scheduler timer;
    private final BooleanSupplier abandoned;

    AdmissionControl(ServiceLimits limits, Scheduler timer, BooleanSupplier abandoned) {
        this.breaker = limits.breaker();
        this.rates = limits.rates();
        this.gates = limits.gates();
        this.timer = timer;
        this.abandoned = abandoned;
    }

    /** Sends the attempt once it may go. Its turn lasts until its end has been judged (PERMIT-1). */
    Mono<HttpResponse> admit(Exchange<?> call, Attempt attempt, Mono<HttpResponse> sent) {
        return new AdmissionMono(this, call, attempt, sent);
    }

    /** The turn of an attempt that may pass the breaker, or an end of it that says why not. */
    AdmissionLease turn(Exchange<?> call) throws BreakerOpenException {
        CircuitBreakerGuard before = call.atSecondary() ? CircuitBreakerGuard.OFF : breaker;
        AdmissionLease turn =
                new AdmissionLease(call.request(), call.options().delivery(), before, rates, gates, timer);
        call.begins(turn);
        if (!before.tryPass()) {
            throw new BreakerOpenException(before.state());
        }
        turn.passed();
        return turn;
    }

    /** The permit of an attempt that need not wait for anything; null if it must. */
    @Nullable
    Permit atOnce(Exchange<?> call, @Nullable Permit first) {
        if (rates != null) {
            return null;
        }
        return first != null
                ? first
                : gates.tryAcquire(
                        call.request().cost().partition(), call.options().priority());
    }

    /** The permit of an attempt after its waits. */
    Mono<Permit> waited(Exchange<?> call, Attempt attempt, AdmissionLease turn) {
        ServiceRateLimiter limited = rates;
        if (limited == null) {
            return asked(call, attempt);
        }
        return limited.acquire(call.request().cost(), attempt.startBy())
                .doOnSuccess(nothing -> turn.rated())
                .then(Mono.defer(() -> asked(call, attempt)));
    }

    private Mono<Permit> asked(Exchange<?> call, Attempt attempt) {
        return gates.acquire(call.request().cost().partition(), call.options().priority(), attempt.startBy(), timer);
    }

    /** Whether the operation is being ended: a permit came free because another one was ended before it. */
    boolean abandoned() {
        return abandoned.getAsBoolean();
    }
}
