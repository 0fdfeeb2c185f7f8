package io.stowline.retry.internal.engine;

import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.engine.RetryPlan.RetryLimits;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.retry.internal.timeout.Deadline;
import reactor.core.publisher.Mono;

/**
 * One operation for a {@link RetryEngine}: how it is sent, judged and limited. By default it discards nothing, and its body can be
 * replayed. Safe for use by many threads if its methods are.
 *
 * @param <T> the type of the results
 */
public abstract class RetryCall<T> implements Classifier<T> {

    private final RetryLimits limits;

    /**
     * A call with its limits.
     *
     * @param settings how long and how often it is tried
     * @param deadline when it is given up
     * @param quota what the retries of all such calls share
     * @param whenEmpty what becomes of the call when the quota is empty
     * @param untilDeadline whether it is retried until its deadline, however many retries that takes; without a back-off it is not retried at all
     */
    protected RetryCall(
            RetrySettings settings,
            Deadline deadline,
            RetryQuota quota,
            RetryQuota.ExhaustedPolicy whenEmpty,
            boolean untilDeadline) {
        this.limits = new RetryLimits(settings, deadline, quota, whenEmpty, untilDeadline);
    }

    /**
     * Makes one attempt; what it throws counts as the attempt's error.
     *
     * @return the attempt's result, not {@code null}
     */
    protected abstract Mono<? extends T> send(Attempt attempt);

    /**
     * Frees what an undelivered result holds; what it throws is logged. A result stays undelivered when another attempt follows or the
     * subscriber has cancelled.
     */
    protected void discard(T result) {
        // it holds nothing
    }

    /** Returns whether the body can be sent again; called after a failed attempt. */
    protected boolean replayable() {
        return true;
    }

    /**
     * Returns whether a part of the work was done since the last call; called after a failed attempt. The retries are counted from the last
     * attempt that did a part. The time is not: the deadline bounds it.
     */
    protected boolean progressed() {
        return false;
    }

    final RetryLimits limits() {
        return limits;
    }
}
