package io.stowline.retry.engine;

import io.stowline.retry.StopReason;
import io.stowline.retry.internal.rate.TokenRequest;
import java.time.Duration;

/** What follows an attempt. */
sealed interface RetryDecision {

    /** The end of the operation. */
    record End(StopReason stop) implements RetryDecision {}

    /**
     * Another attempt, after the pause and not before the claim is held.
     *
     * @param pause the delay from now
     * @param patience the time, from now, after which it is too late to start
     * @param claim the tokens it takes; not held yet when they have to be waited for
     */
    record Again(Duration pause, Duration patience, TokenRequest claim) implements RetryDecision {}
}
