package io.stowline.transport.internal;

import com.azure.core.http.HttpResponse;
import io.stowline.retry.Attempt;
import io.stowline.retry.PartitionedGate;
import io.stowline.retry.Permit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * What stands before each attempt: circuit breaker, rate limit, permit, in this order, so that nobody holds a permit while waiting for
 * another thing (P4). The breaker is that of the primary; the way to the secondary has none. Thread-safe.
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

    /** Sends the attempt once it may go. Its turn lasts until its end has been judged (P1). */
    Mono<HttpResponse> admit(Call<?> call, Attempt attempt, Mono<HttpResponse> sent) {
        // Taken when subscribed to: an attempt that is cancelled before that would lose it.
        return Mono.defer(() -> {
            Permit first = call.takeFirstPermit();
            Breaker before = call.atSecondary() ? Breaker.OFF : breaker;
            Turn turn = new Turn(call.operation(), before, rates, gates, timer);
            call.begins(turn);
            if (!before.tryPass()) {
                release(first);
                return Mono.error(new BreakerOpenException(before.state()));
            }
            return permitted(call, attempt, turn, first)
                    .flatMap(permit -> holding(permit, turn, sent))
                    .doFinally(signal -> turn.over());
        });
    }

    private Mono<Permit> permitted(Call<?> call, Attempt attempt, Turn turn, @Nullable Permit first) {
        turn.passed();
        Load load = call.operation().manner().load();
        Rates limited = rates;
        if (limited == null) {
            return first != null ? Mono.just(first) : asked(call, attempt, load);
        }
        // A permit that came first is not kept while waiting for the rate; most of the time there is no wait.
        release(first);
        return limited.acquire(load, attempt.startBy())
                .doOnSuccess(nothing -> turn.rated())
                .then(Mono.defer(() -> asked(call, attempt, load)));
    }

    private Mono<Permit> asked(Call<?> call, Attempt attempt, Load load) {
        return gates.acquire(load.partition(), call.operation().manner().priority(), attempt.startBy(), timer);
    }

    private Mono<HttpResponse> holding(Permit permit, Turn turn, Mono<HttpResponse> sent) {
        turn.holds(permit);
        if (abandoned.getAsBoolean()) {
            // The operation is being ended; the permit came free because another one was ended before it.
            turn.over();
            return Mono.never();
        }
        return sent;
    }

    private static void release(@Nullable Permit permit) {
        if (permit != null) {
            permit.release();
        }
    }
}
