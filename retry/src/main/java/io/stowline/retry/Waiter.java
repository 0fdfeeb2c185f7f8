package io.stowline.retry;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request at a {@link Gate}, equal to itself only. */
final class Waiter {

    private static final Logger LOG = LoggerFactory.getLogger(Gate.class);

    private final Gate gate;
    private final Consumer<Permit> granted;

    Waiter(Gate gate, Consumer<Permit> granted) {
        this.gate = gate;
        this.granted = granted;
    }

    /** Called outside the lock, once, after the gate has counted the permit. */
    void deliver() {
        Permit permit = new Permit(gate);
        try {
            granted.accept(permit);
        } catch (Throwable thrown) {
            permit.release();
            LOG.error("the receiver of a permit failed, the permit was given back", thrown);
        }
    }
}
