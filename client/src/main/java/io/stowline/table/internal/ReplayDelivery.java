package io.stowline.table.internal;

import io.stowline.retry.Deadline;
import io.stowline.retry.Permit;
import io.stowline.transport.internal.Delivery;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a batch with operations of an earlier process goes out: as another batch of its lane does, but every request has the deadline of
 * its table.
 *
 * @param batch the batch
 */
record ReplayDelivery(LaneDelivery batch) implements Delivery {

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
    public boolean wanted() {
        return batch.wanted();
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
