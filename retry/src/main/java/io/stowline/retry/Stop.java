package io.stowline.retry;

/** Why an operation ended with the attempt that was its last. */
public enum Stop {
    /** The last attempt did the work. */
    SUCCEEDED,
    /** Trying again could not have helped. */
    NOT_RETRYABLE,
    /** All allowed retries were used. */
    RETRIES_EXHAUSTED,
    /** The time left was too short for the delay and another attempt. */
    DEADLINE,
    /** The server asked to be left alone for longer than the time left. */
    HINT_BEYOND_DEADLINE,
    /** The body had been consumed and could not be sent again. */
    BODY_NOT_REPLAYABLE,
    /** The client itself refused to try again: its {@link RetryQuota} was empty. */
    QUOTA_EMPTY
}
