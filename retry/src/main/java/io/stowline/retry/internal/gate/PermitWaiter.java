package io.stowline.retry.internal.gate;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request at a {@link Gate}, equal to itself only. */
final class PermitWaiter {

    private static final Logger LOG = LoggerFactory.getLogger(Gate.class);

    private final Consumer<Permit> granted;
    private @Nullable Permit permit;
    private @Nullable PermitWaiter next;

    PermitWaiter(Consumer<Permit> granted) {
        this.granted = granted;
    }

    /** Under the gate's lock, after the gate has counted the permit. */
    void grant(Permit given) {
        permit = given;
    }

    /** Under the gate's lock: the one that was granted a permit after this one, at the same moment. */
    void followedBy(PermitWaiter later) {
        next = later;
    }

    @Nullable
    PermitWaiter next() {
        return next;
    }

    /** Called outside the lock, once, after the grant. */
    void deliver() {
        Permit given = Objects.requireNonNull(permit, "not granted");
        try {
            granted.accept(given);
        } catch (Throwable thrown) {
            given.release();
            LOG.error("the receiver of a permit failed, the permit was given back", thrown);
        }
    }
}
