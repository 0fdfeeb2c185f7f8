package io.stowline.transport.internal;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.stowline.retry.Gate;
import io.stowline.retry.Permit;
import java.util.function.BooleanSupplier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Holds an account permit for each attempt, from before it is sent until its answer has arrived whole (P1). */
final class GatePolicy implements HttpPipelinePolicy {

    private final Gate gate;
    private final Scheduler timer;
    private final BooleanSupplier abandoned;

    GatePolicy(Gate gate, Scheduler timer, BooleanSupplier abandoned) {
        this.gate = gate;
        this.timer = timer;
        this.abandoned = abandoned;
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        Call<Object> call = Call.in(context);
        // Taken when subscribed to: an attempt that is cancelled before that would lose it.
        return Mono.defer(() -> {
            Permit first = call.takeFirstPermit();
            return first != null
                    ? send(first, next)
                    : gate.acquire(call.priority(), call.attempt().startBy(), timer)
                            .flatMap(permit -> send(permit, next));
        });
    }

    /** Gives the permit back before the answer is handed on, so that nobody works while holding it. */
    private Mono<HttpResponse> send(Permit permit, HttpPipelineNextPolicy next) {
        if (abandoned.getAsBoolean()) {
            // The operation is being ended; the permit came free because another one was ended before it.
            permit.release();
            return Mono.never();
        }
        return Mono.defer(next::process).doOnTerminate(permit::release).doFinally(signal -> permit.release());
    }
}
