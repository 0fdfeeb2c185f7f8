package io.stowline.retry.internal.gate;

import io.stowline.retry.Deadline;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Asks a gate for a permit for each subscriber, after that of the partition where there is one. */
final class PermitMono extends Mono<Permit> {

    private final @Nullable Gate partition;
    private final Gate gate;
    private final PermitPriority priority;
    private final Deadline deadline;
    private final Scheduler timer;

    private PermitMono(
            @Nullable Gate partition, Gate gate, PermitPriority priority, Deadline deadline, Scheduler timer) {
        this.partition = partition;
        this.gate = gate;
        this.priority = Objects.requireNonNull(priority, "priority");
        this.deadline = Objects.requireNonNull(deadline, "deadline");
        this.timer = Objects.requireNonNull(timer, "timer");
    }

    static Mono<Permit> of(
            @Nullable Gate partition, Gate gate, PermitPriority priority, Deadline deadline, Scheduler timer) {
        return onAssembly(new PermitMono(partition, gate, priority, deadline, timer));
    }

    @Override
    public void subscribe(CoreSubscriber<? super Permit> actual) {
        actual.onSubscribe(new PermitRequest(this, actual));
    }

    @Nullable
    Gate partition() {
        return partition;
    }

    Gate gate() {
        return gate;
    }

    PermitPriority priority() {
        return priority;
    }

    Deadline deadline() {
        return deadline;
    }

    Scheduler timer() {
        return timer;
    }
}
