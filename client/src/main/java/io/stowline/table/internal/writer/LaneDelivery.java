package io.stowline.table.internal.writer;

import io.stowline.batching.internal.batch.Admission;
import io.stowline.batching.internal.batch.Batch;
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

/** How the batch of a lane goes out: with the permit that it was cut for, and in the time that its items have left. Thread-safe. */
final class LaneDelivery implements PermittedDelivery {

    private final Batch<LaneKey, QueuedWrite> batch;
    private final @Nullable Deadline deadline;
    private final boolean halves;
    private boolean taken;

    private LaneDelivery(Batch<LaneKey, QueuedWrite> batch, @Nullable Deadline deadline, boolean halves) {
        this.batch = batch;
        this.deadline = deadline;
        this.halves = halves;
    }

    /** A batch of a writer is tried until its first item must have its end, a transaction as often as its table says. */
    static LaneDelivery of(Batch<LaneKey, QueuedWrite> batch, Scheduler timer) {
        Duration left = batch.timeLeft();
        Deadline deadline = left == null ? endless(batch, timer) : Deadline.in(left, timer);
        return new LaneDelivery(batch, deadline, !batch.atomic() && isDivisible(batch.items()));
    }

    private static @Nullable Deadline endless(Batch<LaneKey, QueuedWrite> batch, Scheduler timer) {
        return batch.atomic() ? null : Deadline.in(Duration.ofDays(365), timer);
    }

    /** Of upserts alone nothing proves that they were not carried out. */
    private static boolean isDivisible(List<QueuedWrite> items) {
        return items.size() > 1
                && items.stream().anyMatch(item -> !item.operation().verb().upsert());
    }

    @Override
    public synchronized @Nullable Permit takePermit() {
        if (taken) {
            return null;
        }
        taken = true;
        return batch.takeTicket() instanceof GateAdmission.PermitTicket ticket ? ticket.permit() : null;
    }

    /** Before a wait for something else than the wire: the permit is another's, and so is the place there. */
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
    public boolean untilDeadline() {
        return !batch.atomic();
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

        /** The ticket of a batch, which is the permit of its first attempt. */
        record PermitTicket(Permit permit) implements Ticket {
            @Override
            public void release() {
                permit.release();
            }
        }
    }

    /**
     * How a batch with operations of an earlier process goes out: as another batch of its lane does, but every request has the deadline of
     * its table.
     */
    record ReplayDelivery(LaneDelivery batch) implements PermittedDelivery {

        @Override
        public @Nullable Permit takePermit() {
            return batch.takePermit();
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
        public boolean untilDeadline() {
            return false;
        }

        @Override
        public boolean wantsAttempt(boolean due) {
            return batch.wantsAttempt(due);
        }

        @Override
        public boolean halves() {
            return false;
        }

        @Override
        public @Nullable Deadline deadline() {
            return null;
        }

        @Override
        public Duration time() {
            return batch.time();
        }
    }
}
