package io.stowline.ring.internal.move;

import java.time.Duration;

/** The time of a move: a clock that never goes back, and waits. */
public interface MovePause {

    /** Returns the time since some point, in nanoseconds. */
    long nanos();

    /** Waits. */
    void await(Duration time);
}
