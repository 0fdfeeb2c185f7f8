package io.stowline.table.internal.writer;

import io.stowline.batching.internal.batch.Admission;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.retry.Deadline;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import io.stowline.transport.internal.request.ExecutionOptions.PermittedDelivery;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The delivery of a lane's batch with the permit that it was cut for, in the time that its items have left.
 * Thread-safe.
 */
final class LaneDelivery implements PermittedDelivery {

    private final DeliveryBatch<LaneKey, QueuedWrite> batch;
    private final @Nullable Deadline deadline;
    private final boolean untilDeadline;
    private final boolean halves;
    private boolean taken;

    private LaneDelivery(
            DeliveryBatch<LaneKey, QueuedWrite> batch,
            @Nullable Deadline deadline,
            boolean untilDeadline,
            boolean halves) {
        this.batch = batch;
        this.deadline = deadline;
        this.untilDeadline = untilDeadline;
        this.halves = halves;
    }

    /**
     * Returns the delivery of a batch: a writer's is tried until its first item must have its end, a transaction as
     * often as its table says.
     */
    static LaneDelivery of(DeliveryBatch<LaneKey, QueuedWrite> batch, Scheduler timer) {
        List<QueuedWrite> items = batch.items();
        Duration left = batch.timeLeft();
        if (items.get(0).ticket() != null && (left == null || isReplayed(items))) {
            return new LaneDelivery(batch, null, false, false);
        }
        if (batch.atomic()) {
            return new LaneDelivery(batch, left == null ? null : Deadline.in(left, timer), false, false);
        }
        if (items.get(0).asOneCall()) {
            return new LaneDelivery(batch, null, false, false);
        }
        Duration time = left == null ? Duration.ofDays(365) : left;
        return new LaneDelivery(batch, Deadline.in(time, timer), true, isDivisible(items));
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

    @Override
    public synchronized @Nullable Permit takePermit() {
        if (taken) {
            return null;
        }
        taken = true;
        return batch.takeTicket() instanceof GateAdmission.PermitTicket ticket ? ticket.permit() : null;
    }

    /** Releases the permit and the wire slot before waiting for the journal. */
    void stepAside() {
        Permit permit = takePermit();
        if (permit != null) {
            permit.release();
        }
        batch.leaveWire();
    }

    @Override
    public void enterWire() {
        batch.enterWire();
    }

    @Override
    public void leaveWire() {
        batch.leaveWire();
    }

    @Override
    public void fallSilent() {
        batch.fallSilent();
    }

    @Override
    public boolean untilDeadline() {
        return untilDeadline;
    }

    @Override
    public boolean wantsAttempt(boolean due) {
        return batch.wantsAttempt(due);
    }

    @Override
    public boolean halves() {
        return halves;
    }

    @Override
    public @Nullable Deadline deadline() {
        return deadline;
    }

    @Override
    public Duration time() {
        return Objects.requireNonNullElse(batch.deliveryTimeout(), Duration.ofDays(365));
    }

    /** Lets lanes queue for the account's permits, so that a batch is cut at the moment it can go. */
    static final class GateAdmission implements Admission {

        private final Gate gate;

        GateAdmission(Gate gate) {
            this.gate = gate;
        }

        @Override
        public Waiting request(Consumer<Ticket> granted) {
            Gate.PermitRegistration waiting =
                    gate.request(PermitPriority.NORMAL, permit -> granted.accept(new PermitTicket(permit)));
            return waiting::cancel;
        }

        @Override
        public int limit() {
            return gate.limit();
        }

        /** The ticket of a batch, which is the permit of its first attempt. */
        record PermitTicket(Permit permit) implements Ticket {
            @Override
            public void release() {
                permit.release();
            }
        }
    }
}
