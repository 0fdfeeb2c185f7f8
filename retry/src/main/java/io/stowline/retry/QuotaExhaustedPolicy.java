package io.stowline.retry;

import io.stowline.retry.engine.RetryQuota;

/** The policy for an operation whose retry meets an empty {@link RetryQuota}. */
public enum QuotaExhaustedPolicy {
    /** It ends at once with {@link StopReason#QUOTA_EMPTY} and its last result or error: for direct calls. */
    REFUSE,
    /** It waits in line for tokens until its deadline: for writers and consumers, which lose nothing. */
    PACE
}
