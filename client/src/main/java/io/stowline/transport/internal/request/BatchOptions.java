package io.stowline.transport.internal.request;

import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Options of a request that carries queued operations. Immutable.
 *
 * @param deadline the end of its attempts, or {@code null} for that of an ordinary request
 * @param time the whole time whose end is the deadline, as errors state it
 * @param untilDeadline whether the deadline alone ends the retries, and not their number
 * @param control the control of its attempts, or {@code null} for none
 */
public record BatchOptions(
        @Nullable Deadline deadline,
        Duration time,
        boolean untilDeadline,
        @Nullable AttemptControl control) {

    /** Returns the options of a step that is tried until a deadline. */
    public static BatchOptions until(Deadline deadline, Duration time) {
        return new BatchOptions(deadline, time, true, null);
    }
}
