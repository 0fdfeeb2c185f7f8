package io.stowline.retry;

/** What becomes of an operation whose retry meets an empty {@link RetryQuota}. */
public enum EmptyQuota {
    /** It ends at once with {@link Stop#QUOTA_EMPTY} and its last result or error: for direct calls. */
    REFUSE,
    /** It waits in line for tokens until its deadline: for writers and consumers, which lose nothing. */
    PACE
}
