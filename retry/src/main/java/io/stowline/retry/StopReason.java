package io.stowline.retry;

/** The reason why an operation made no further attempt. */
public enum StopReason {
    /** The last attempt did the work. */
    SUCCEEDED,
    /** Trying again could not have helped. */
    NOT_RETRYABLE,
    /** All allowed retries were used. */
    RETRIES_EXHAUSTED,
    /** The time left was too short for the delay and another attempt. */
    DEADLINE,
    /** The server's retry hint was longer than the time left. */
    HINT_BEYOND_DEADLINE,
    /** The body had been consumed and could not be sent again. */
    BODY_NOT_REPLAYABLE,
    /** The client made no retry because its quota of retries was empty. */
    QUOTA_EMPTY
}
