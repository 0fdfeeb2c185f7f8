package io.stowline.table.internal.writer;

import io.stowline.batching.internal.batch.Admission;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.retry.AttemptEnd.ThrottleScope;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import io.stowline.transport.internal.request.AttemptControl;
import io.stowline.transport.internal.request.BatchOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * Delivery of the batch of a lane: the permit that the batch was cut for, and the time that its items have left. The lane follows the
 * attempts of its request. Thread-safe.
 */
final class BatchDelivery implements AttemptControl {

    private static final Duration ENDLESS = Duration.ofDays(365);

    private final DeliveryBatch<LaneKey, QueuedWrite> batch;
    private final BatchOptions options;
    private final boolean divisible;

    private BatchDelivery(
            DeliveryBatch<LaneKey, QueuedWrite> batch,
            @Nullable Deadline deadline,
            boolean untilDeadline,
            boolean divisible) {
        this.batch = batch;
        this.divisible = divisible;
        Duration time = Objects.requireNonNullElse(batch.deliveryTimeout(), ENDLESS);
        this.options = new BatchOptions(deadline, time, untilDeadline, this);
    }

    /**
     * Returns the delivery of a batch: a writer's is tried until its first item must have its end, a transaction as
     * often as its table allows.
     */
    static BatchDelivery of(DeliveryBatch<LaneKey, QueuedWrite> batch, Scheduler timer) {
        List<QueuedWrite> items = batch.items();
        Duration left = batch.timeLeft();
        if (items.get(0).ticket() != null && (left == null || isReplayed(items))) {
            return new BatchDelivery(batch, null, false, false);
        }
        if (batch.atomic()) {
            return new BatchDelivery(batch, left == null ? null : Deadline.in(left, timer), false, false);
        }
        if (items.get(0).asOneCall()) {
            return new BatchDelivery(batch, null, false, false);
        }
        Duration time = left == null ? ENDLESS : left;
        return new BatchDelivery(batch, Deadline.in(time, timer), true, isDivisible(items));
    }

    /** Returns whether an attempt of an earlier process may have carried out one of its operations. */
    static boolean isReplayed(List<QueuedWrite> items) {
        return items.stream().anyMatch(item -> item.replay() != null);
    }

    /** The proof is missing for a batch of upserts alone that it was not carried out. */
    private static boolean isDivisible(List<QueuedWrite> items) {
        boolean upserts = true;
        for (QueuedWrite item : items) {
            upserts &= item.operation().verb().upsert();
        }
        return items.size() > 1 && !upserts;
    }

    BatchOptions options() {
        return options;
    }

    /** Takes the permit that the batch was cut for; {@code null} from the second call on. */
    @Nullable
    Permit takePermit() {
        return batch.takePermit(Permit.class);
    }

    /** Releases the permit and the place on the wire before a wait for something else. */
    void stepAside() {
        Permit permit = takePermit();
        if (permit != null) {
            permit.release();
        }
        batch.leaveWire();
    }

    @Override
    public void waitsForAdmission() {
        batch.leaveWire();
    }

    @Override
    public void goesOut() {
        batch.enterWire();
    }

    @Override
    public void fallsSilent() {
        batch.fallSilent();
    }

    @Override
    public boolean wantsDueAttempt() {
        return batch.wantsAttempt(true);
    }

    /**
     * Returns whether it is tried again. A batch that the service could not carry out in time is halved, which serves
     * better than one more retry.
     */
    @Override
    public boolean attemptFailed(Verdict verdict, int attempts) {
        boolean timedOut = verdict.ambiguous() && verdict.throttling() != ThrottleScope.NONE;
        int retries = batch.items().get(0).operations().retry().retries();
        boolean halves = timedOut && divisible && attempts > retries;
        boolean again = verdict.kind() != Verdict.VerdictKind.NEVER && !halves && batch.wantsAttempt(false);
        batch.leaveWire();
        return again;
    }

    /** A lane needs the outcomes for its later items; the caller of an explicit transaction who left wants nothing sent. */
    @Override
    public boolean isWanted() {
        return !batch.atomic() || batch.wantsAttempt(true);
    }

    /** Admission of lanes by the account's permits, so that a batch is cut at the moment it can go. */
    static final class GateAdmission implements Admission {

        private final Gate gate;

        GateAdmission(Gate gate) {
            this.gate = gate;
        }

        @Override
        public Waiting request(Consumer<Disposable> granted) {
            Gate.PermitRegistration waiting = gate.request(PermitPriority.NORMAL, granted::accept);
            return waiting::cancel;
        }

        @Override
        public int limit() {
            return gate.limit();
        }
    }
}
