package io.stowline.transport.internal;

import com.azure.core.http.HttpResponse;
import io.stowline.retry.Attempt;
import io.stowline.retry.PartitionedGate;
import io.stowline.retry.Permit;
import io.stowline.retry.Priority;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * What stands before each attempt: circuit breaker, rate limit, permit, in this order, so that nobody holds a permit while waiting for
 * another thing (PERMIT-4). The breaker is that of the primary; the way to the secondary has none. Thread-safe.
 */
final class Entrance {

    private final Breaker breaker;
    private final @Nullable Rates rates;
    private final PartitionedGate<String> gates;
    private final Scheduler timer;
    private final BooleanSupplier abandoned;

    Entrance(Limits limits, Scheduler timer, BooleanSupplier abandoned) {
        this.breaker = limits.breaker();
        this.rates = limits.rates();
        this.gates = limits.gates();
        this.timer = timer;
        this.abandoned = abandoned;
    }

    /** Sends the attempt once it may go. Its turn lasts until its end has been judged (PERMIT-1). */
    Mono<HttpResponse> admit(Call<?> call, Attempt attempt, Mono<HttpResponse> sent) {
        return new Admitted(this, call, attempt, sent);
    }

    /** The turn of an attempt that may pass the breaker, or an end of it that says why not. */
    Turn turn(Call<?> call) throws BreakerOpenException {
        Breaker before = call.atSecondary() ? Breaker.OFF : breaker;
        Turn turn = new Turn(call, before, rates, gates, timer);
        call.begins(turn);
        if (!before.tryPass()) {
            throw new BreakerOpenException(before.state());
        }
        turn.passed();
        return turn;
    }

    /** The permit of an attempt that need not wait for anything; null if it must. */
    @Nullable
    Permit atOnce(Call<?> call, @Nullable Permit first) {
        if (rates != null) {
            return null;
        }
        return first != null
                ? first
                : gates.tryAcquire(
                        call.load().partition(), call.operation().manner().priority());
    }

    /** The permit of an attempt after its waits. */
    Mono<Permit> waited(Call<?> call, Attempt attempt, Turn turn) {
        Rates limited = rates;
        if (limited == null) {
            return asked(call, attempt);
        }
        return limited.acquire(call.load(), attempt.startBy())
                .doOnSuccess(nothing -> turn.rated())
                .then(Mono.defer(() -> asked(call, attempt)));
    }

    private Mono<Permit> asked(Call<?> call, Attempt attempt) {
        Priority priority = call.operation().manner().priority();
        return gates.acquire(call.load().partition(), priority, attempt.startBy(), timer);
    }

    /** Whether the operation is being ended: a permit came free because another one was ended before it. */
    boolean abandoned() {
        return abandoned.getAsBoolean();
    }
}
