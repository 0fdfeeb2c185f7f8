package io.stowline.retry.internal.engine;

import io.stowline.retry.AttemptEnd;
import io.stowline.retry.AttemptEnd.ThrottleScope;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The verdict on one attempt: what its result or error means for the next one. Immutable and safe for use by many threads.
 *
 * @param kind what follows
 * @param ambiguous whether the attempt may have been applied although its response was lost
 * @param hint the server's hint of when to come back, a floor for the delay; null when it gave none
 * @param reason the cause in a few words, such as the status and the error code; never a secret
 * @param throttling what the service refused for load
 */
public record Verdict(
        VerdictKind kind, boolean ambiguous, @Nullable Duration hint, String reason, ThrottleScope throttling) {

    /** The step that a verdict calls for. */
    public enum VerdictKind {
        /** The operation is done. */
        SUCCESS,
        /** Try again at once, but only once in an operation; then as {@link #RETRY}. */
        RETRY_NOW,
        /**
         * Try again at once; the client has mended the cause, such as an expired token. It is no retry: neither the number of
         * retries nor the quota counts it, and it works without any retries.
         */
        REMEDIED,
        /** Try again after the back-off, but only once in an operation: the cause is hardly one that passes. */
        RETRY_ONCE,
        /** Try again after the back-off. */
        RETRY,
        /** Trying again cannot help. */
        NEVER
    }

    /** A longer hint is beyond every deadline, and nanoseconds of sums stay exact. */
    private static final Duration MAX_HINT = Duration.ofDays(365);

    private static final Verdict DONE =
            new Verdict(VerdictKind.SUCCESS, false, null, AttemptEnd.SUCCESS, ThrottleScope.NONE);

    /**
     * Makes a verdict.
     *
     * @param kind what follows
     * @param ambiguous whether the attempt may have been applied although its response was lost
     * @param hint the server's hint of when to come back, a floor for the delay; null when it gave none
     * @param reason the cause in a few words, such as the status and the error code; never a secret
     * @param throttling what the service refused for load
     * @throws IllegalArgumentException if the hint is negative
     */
    public Verdict {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(throttling, "throttling");
        if (hint != null) {
            if (hint.isNegative()) {
                throw new IllegalArgumentException("hint must be at least PT0S but was " + hint);
            }
            hint = hint.compareTo(MAX_HINT) > 0 ? MAX_HINT : hint;
        }
    }

    /**
     * Returns the verdict on an attempt that did its work.
     *
     * @return the verdict
     */
    public static Verdict success() {
        return DONE;
    }

    /**
     * Returns the verdict on a request that was never written: try again at once, once.
     *
     * @param reason the cause in a few words
     * @return the verdict
     */
    public static Verdict retryNow(String reason) {
        return new Verdict(VerdictKind.RETRY_NOW, false, null, reason, ThrottleScope.NONE);
    }

    /**
     * Returns the verdict on a refusal whose cause the client has mended itself, by another token or another clock: try
     * again at once. That is no retry: it takes nothing from the quota of retries, as no load caused the refusal, and
     * works with {@link io.stowline.retry.Backoff#none()}. The classifier bounds how often a remedy is tried.
     *
     * @param reason the remedy in a few words
     * @return the verdict
     */
    public static Verdict remedied(String reason) {
        return new Verdict(VerdictKind.REMEDIED, false, null, reason, ThrottleScope.NONE);
    }

    /**
     * Returns the verdict on an attempt whose cause may pass but hardly will, such as an unknown host: it is tried once
     * more after the back-off, and then no more.
     *
     * @param reason the cause in a few words
     * @return the verdict
     */
    public static Verdict retryOnce(String reason) {
        return new Verdict(VerdictKind.RETRY_ONCE, false, null, reason, ThrottleScope.NONE);
    }

    /**
     * Returns the verdict on an attempt that may succeed later.
     *
     * @param reason the cause in a few words
     * @return the verdict
     */
    public static Verdict retry(String reason) {
        return new Verdict(VerdictKind.RETRY, false, null, reason, ThrottleScope.NONE);
    }

    /**
     * Returns the verdict on an attempt that would fail again.
     *
     * @param reason the cause in a few words
     * @return the verdict
     */
    public static Verdict never(String reason) {
        return new Verdict(VerdictKind.NEVER, false, null, reason, ThrottleScope.NONE);
    }

    /**
     * Returns the same verdict with the server's hint.
     *
     * @param hint the time after which to come back
     * @return the verdict
     * @throws IllegalArgumentException if the hint is negative
     */
    public Verdict withHint(Duration hint) {
        return new Verdict(kind, ambiguous, Objects.requireNonNull(hint, "hint"), reason, throttling);
    }

    /**
     * Returns the same verdict on an attempt that may have been applied.
     *
     * @return the verdict
     */
    public Verdict asAmbiguous() {
        return new Verdict(kind, true, hint, reason, throttling);
    }

    /**
     * Returns the same verdict on an attempt that the service refused for load.
     *
     * @param throttling what was refused
     * @return the verdict
     */
    public Verdict asThrottling(ThrottleScope throttling) {
        return new Verdict(kind, ambiguous, hint, reason, throttling);
    }

    /**
     * Returns the entry of an attempt that ended with this verdict.
     *
     * @param number its number, 1 for the first
     * @param took the time from its start to its end
     * @param waitedBefore the time since the end of the attempt before
     * @return the entry
     */
    public AttemptEnd entry(int number, Duration took, Duration waitedBefore) {
        return new AttemptEnd(
                number, reason, ambiguous, kind == VerdictKind.REMEDIED, throttling, hint, took, waitedBefore);
    }
}
