package io.stowline.table.internal;

import io.stowline.batching.Admission;
import io.stowline.retry.Gate;
import io.stowline.retry.Permit;
import io.stowline.retry.Priority;
import java.util.function.Consumer;

/** Lets lanes queue for the account's permits, so that a batch is cut at the moment it can go. */
final class GateAdmission implements Admission {

    private final Gate gate;

    GateAdmission(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Waiting request(Consumer<Ticket> granted) {
        io.stowline.retry.Waiting waiting =
                gate.request(Priority.NORMAL, permit -> granted.accept(new PermitTicket(permit)));
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
