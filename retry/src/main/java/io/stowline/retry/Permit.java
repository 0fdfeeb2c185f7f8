package io.stowline.retry;

import java.util.concurrent.atomic.AtomicBoolean;

/** The right to have one attempt in flight, given by a {@link Gate}. Safe for use by many threads. */
public final class Permit {

    private final Gate gate;
    private final AtomicBoolean released = new AtomicBoolean();

    Permit(Gate gate) {
        this.gate = gate;
    }

    /** Gives the permit back, the first time; later calls do nothing. Next in line is served on this thread. */
    public void release() {
        if (released.compareAndSet(false, true)) {
            gate.leave();
        }
    }
}
