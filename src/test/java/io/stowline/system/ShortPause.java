package io.stowline.system;

import java.util.concurrent.locks.LockSupport;

/** A pause between two checks of a condition, so that a thread that waits for another one leaves the processor to it. */
final class ShortPause {

    private static final long NANOS = 1_000_000;

    private ShortPause() {}

    /** Parks the calling thread for about a millisecond. */
    static void park() {
        LockSupport.parkNanos(NANOS);
    }
}
