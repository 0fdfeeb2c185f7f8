package io.stowline.retry.internal.gate;

import io.stowline.retry.internal.gate.Gate.PermitPriority;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/**
 * The right to have one attempt in flight, given by a {@link Gate}. Any of its methods ends it, the first time; later
 * calls do nothing. The next in line is served on the thread that ends it. Safe for use by many threads.
 */
public final class Permit implements Disposable {

    private static final AtomicIntegerFieldUpdater<Permit> ENDED =
            AtomicIntegerFieldUpdater.newUpdater(Permit.class, "ended");

    private final Gate gate;
    private final PermitPriority priority;
    private final boolean saturated;
    private final int inFlight;
    private final long granted;
    private volatile int ended;
    private volatile @Nullable Permit partition;

    /** Changed under the gate's lock. */
    private volatile boolean silent;

    Permit(Gate gate, PermitPriority priority, boolean saturated, int inFlight, long granted) {
        this.gate = gate;
        this.priority = priority;
        this.saturated = saturated;
        this.inFlight = inFlight;
        this.granted = granted;
    }

    /** Gives the permit back without a word about the service: nothing was sent, or it was cancelled. */
    public void release() {
        if (end()) {
            leave(PermitSignal.UNKNOWN, PermitSignal.UNKNOWN, null);
        }
    }

    /** Releases the permit. */
    @Override
    public void dispose() {
        release();
    }

    @Override
    public boolean isDisposed() {
        return ended != 0;
    }

    /**
     * Gives the permit back after a response other than throttling, success or error. The latency is the time since the
     * permit was granted.
     *
     * @param latencyClass what the latency can be compared with, such as an operation and the size of its body in
     * powers
     *     of two; compared by {@code equals}, and kept: from the 65th class on latencies are not looked at
     */
    public void responded(Object latencyClass) {
        Objects.requireNonNull(latencyClass, "latencyClass");
        if (end()) {
            // The latency of a partition that was throttled reveals nothing about the rest.
            leave(PermitSignal.RESPONDED, PermitSignal.RESPONDED, partition == null ? latencyClass : null);
        }
    }

    /** Gives the permit back after a response that signals too much load for this gate. */
    public void throttled() {
        if (end()) {
            leave(PermitSignal.THROTTLED, PermitSignal.UNKNOWN, null);
        }
    }

    /**
     * Notes that the attempt has had no response for long: the permit counts against the limit no longer, so that others go ahead.
     *
     * @return whether it is silent now; false if it has ended, or as many are silent as can be
     */
    public boolean fallSilent() {
        return gate.silence(this);
    }

    /** Returns whether it does not count against the limit. */
    public boolean silent() {
        return silent;
    }

    void markSilent() {
        silent = true;
    }

    /** Ends the permit. A caller that gets true must call {@link #leave}. */
    boolean end() {
        return ended == 0 && ENDED.compareAndSet(this, 0, 1);
    }

    void leave(PermitSignal own, PermitSignal ofPartition, @Nullable Object latencyClass) {
        Permit before = partition;
        if (before != null && before.end()) {
            before.leave(ofPartition, PermitSignal.UNKNOWN, null);
        }
        gate.leave(this, own, latencyClass);
    }

    /** Attaches the permit of the partition, which this one gives back too. */
    void join(@Nullable Permit ofPartition) {
        partition = ofPartition;
    }

    boolean comesFrom(@Nullable Gate other) {
        return gate == other;
    }

    boolean holds(Gate partitionGate) {
        Permit before = partition;
        return before != null && before.gate == partitionGate;
    }

    boolean settling() {
        return priority == PermitPriority.SETTLE;
    }

    PermitPriority priority() {
        return priority;
    }

    boolean saturated() {
        return saturated;
    }

    /** Returns the number of attempts in flight when the permit was granted, itself included. */
    int inFlight() {
        return inFlight;
    }

    /** Returns the time of the grant on the gate's clock. */
    long granted() {
        return granted;
    }

    /** The lesson of one attempt about the load of the service. */
    enum PermitSignal {
        UNKNOWN,
        RESPONDED,
        THROTTLED
    }
}
