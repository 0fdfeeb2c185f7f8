package io.stowline.transport.internal;

import io.stowline.retry.Deadline;
import io.stowline.retry.Permit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How a batch of a lane goes out: with what permit, until when, and who counts it while it is on the wire. Thread-safe. */
public interface Delivery {

    /**
     * The permit that it was cut for.
     *
     * @return the permit, given up to who asks first, or {@code null} if there is none any more
     */
    @Nullable
    Permit takePermit();

    /** An attempt has its permit. */
    void enterWire();

    /** There is no attempt on the wire: the next one has to wait for something. */
    void leaveWire();

    /**
     * Whether it is tried until its deadline, and not only so many times.
     *
     * @return whether the time counts, and not the number
     */
    boolean untilDeadline();

    /**
     * Whether one of its operations still waits for an end. If not, no attempt follows the one on the wire.
     *
     * @return whether it has to be tried again
     */
    boolean wanted();

    /**
     * Whether it is cut in two when it is proved that the service could not do it in time.
     *
     * @return whether there is something to cut, and to prove it by
     */
    boolean halves();

    /**
     * When it is given up.
     *
     * @return the deadline, or {@code null} for that of an ordinary operation
     */
    @Nullable
    Deadline deadline();

    /**
     * What is said of that time.
     *
     * @return the whole time of which the deadline is the end
     */
    Duration time();
}
