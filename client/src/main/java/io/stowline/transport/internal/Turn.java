package io.stowline.transport.internal;

import io.stowline.retry.PartitionedGate;
import io.stowline.retry.Permit;
import io.stowline.retry.Throttling;
import io.stowline.retry.Verdict;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** What one attempt holds of the entrance's limits, and gives back with what was learned. Thread-safe; ends once. */
final class Turn {

    private final String verb;
    private final Load load;
    private final @Nullable Delivery delivery;
    private final Breaker breaker;
    private final @Nullable Rates rates;
    private final PartitionedGate<String> gates;
    private final Scheduler clock;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile boolean passed;
    private volatile boolean rated;
    private volatile @Nullable Permit permit;
    private volatile long began;

    Turn(Call<?> call, Breaker breaker, @Nullable Rates rates, PartitionedGate<String> gates, Scheduler clock) {
        this.verb = call.operation().name();
        this.load = call.load();
        this.delivery = call.operation().manner().delivery();
        this.breaker = breaker;
        this.rates = rates;
        this.gates = gates;
        this.clock = clock;
    }

    void passed() {
        passed = true;
    }

    void rated() {
        rated = true;
    }

    /** Before it has its permit it waits for something. */
    void waits() {
        if (delivery != null) {
            delivery.leaveWire();
        }
    }

    void holds(Permit given) {
        if (delivery != null) {
            delivery.enterWire();
        }
        began = clock.now(TimeUnit.NANOSECONDS);
        permit = given;
        if (over.get()) {
            // Cancelled while it was being given.
            given.release();
        }
    }

    /** The head of the answer is there; the bytes behind it count, too. */
    void received(long bytes) {
        if (rates != null && rated) {
            rates.received(load, bytes);
        }
    }

    /** The attempt has ended; called before anybody is told. */
    void ended(Verdict verdict, boolean answered) {
        Permit held = permit;
        if (held == null || !over.compareAndSet(false, true)) {
            return;
        }
        Duration took = Duration.ofNanos(clock.now(TimeUnit.NANOSECONDS) - began);
        if (verdict.throttling() != Throttling.NONE) {
            gates.throttled(held, load.partition(), verdict.throttling());
        } else if (answered && !verdict.ambiguous()) {
            held.answered(load.latencyClass(verb));
        } else {
            held.release();
        }
        if (healthy(verdict, answered)) {
            breaker.succeeded(took);
        } else {
            breaker.failed(took, verdict.reason());
        }
    }

    /** Whether the service did its work, be it that it refused what was asked. */
    private static boolean healthy(Verdict verdict, boolean answered) {
        return answered
                && (verdict.kind() == Verdict.Kind.SUCCESS || verdict.kind() == Verdict.Kind.NEVER)
                && !verdict.ambiguous();
    }

    /** Nobody wants it any more, or it never went out. */
    void over() {
        if (!over.compareAndSet(false, true)) {
            return;
        }
        Permit held = permit;
        if (held != null) {
            held.release();
        } else if (rated && rates != null) {
            rates.refund(load);
        }
        if (passed) {
            breaker.nothingLearned();
        }
    }
}
