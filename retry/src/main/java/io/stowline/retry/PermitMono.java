package io.stowline.retry;

import java.util.Objects;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Asks a gate for a permit for each subscriber. */
final class PermitMono extends Mono<Permit> {

    private final Gate gate;
    private final Priority priority;
    private final Deadline deadline;
    private final Scheduler timer;

    private PermitMono(Gate gate, Priority priority, Deadline deadline, Scheduler timer) {
        this.gate = gate;
        this.priority = Objects.requireNonNull(priority, "priority");
        this.deadline = Objects.requireNonNull(deadline, "deadline");
        this.timer = Objects.requireNonNull(timer, "timer");
    }

    static Mono<Permit> of(Gate gate, Priority priority, Deadline deadline, Scheduler timer) {
        return onAssembly(new PermitMono(gate, priority, deadline, timer));
    }

    @Override
    public void subscribe(CoreSubscriber<? super Permit> actual) {
        actual.onSubscribe(new PermitRequest(this, actual));
    }

    Gate gate() {
        return gate;
    }

    Priority priority() {
        return priority;
    }

    Deadline deadline() {
        return deadline;
    }

    Scheduler timer() {
        return timer;
    }
}
