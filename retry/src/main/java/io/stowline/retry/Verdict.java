package io.stowline.retry;

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
        Kind kind, boolean ambiguous, @Nullable Duration hint, String reason, ThrottleScope throttling) {

    /** The step that a verdict calls for. */
    public enum Kind {
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

    private static final Verdict DONE = new Verdict(Kind.SUCCESS, false, null, "success", ThrottleScope.NONE);

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
            Duration hinted = hint.compareTo(SettingBounds.MAX) > 0 ? SettingBounds.MAX : hint;
            hint = SettingBounds.atLeast("hint", hinted, Duration.ZERO);
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
        return new Verdict(Kind.RETRY_NOW, false, null, reason, ThrottleScope.NONE);
    }

    /**
     * Returns the verdict on a refusal whose cause the client has mended itself, by another token or another clock: try
     * again at once. That is no retry: it takes nothing from the quota of retries, as no load caused the refusal, and
     * works with {@link Backoff#none()}. The classifier bounds how often a remedy is tried.
     *
     * @param reason the remedy in a few words
     * @return the verdict
     */
    public static Verdict remedied(String reason) {
        return new Verdict(Kind.REMEDIED, false, null, reason, ThrottleScope.NONE);
    }

    /**
     * Returns the verdict on an attempt whose cause may pass but hardly will, such as an unknown host: it is tried once
     * more after the back-off, and then no more.
     *
     * @param reason the cause in a few words
     * @return the verdict
     */
    public static Verdict retryOnce(String reason) {
        return new Verdict(Kind.RETRY_ONCE, false, null, reason, ThrottleScope.NONE);
    }

    /**
     * Returns the verdict on an attempt that may succeed later.
     *
     * @param reason the cause in a few words
     * @return the verdict
     */
    public static Verdict retry(String reason) {
        return new Verdict(Kind.RETRY, false, null, reason, ThrottleScope.NONE);
    }

    /**
     * Returns the verdict on an attempt that would fail again.
     *
     * @param reason the cause in a few words
     * @return the verdict
     */
    public static Verdict never(String reason) {
        return new Verdict(Kind.NEVER, false, null, reason, ThrottleScope.NONE);
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

    /** The scope of throttling: what the service refused because of load. */
    public enum ThrottleScope {
        /** Not throttled: the attempt succeeded, or failed for another reason. */
        NONE,
        /** One partition: a range of a table, one queue or one blob. */
        PARTITION,
        /** The whole account. */
        ACCOUNT
    }
}
