package io.stowline.retry.internal.timeout;

import io.stowline.retry.AttemptEnd;
import java.time.Duration;
import java.util.List;

/**
 * The ends of a request's attempts, in their order. Immutable.
 *
 * @param elapsed the time since the first attempt began, waits included
 */
public record AttemptLog(List<AttemptEnd> attempts, Duration elapsed) {

    /** The log of a request before its first attempt. */
    public static final AttemptLog EMPTY = new AttemptLog(List.of(), Duration.ZERO);

    public AttemptLog {
        attempts = List.copyOf(attempts);
    }

    /** Returns whether any attempt may have been applied although its response was lost. */
    public boolean anyAmbiguous() {
        for (AttemptEnd attempt : attempts) {
            if (attempt.ambiguous()) {
                return true;
            }
        }
        return false;
    }
}
