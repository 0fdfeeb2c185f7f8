package io.stowline.retry;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one attempt's result or error means for the next one. Immutable and safe for use by many threads.
 *
 * @param kind what follows
 * @param ambiguous whether the attempt may have been applied although its answer was lost
 * @param hint the server's hint of when to come back, a floor for the delay; null when it gave none
 * @param reason the cause in a few words, such as the status and the error code; never a secret
 */
public record Verdict(
        Kind kind, boolean ambiguous, @Nullable Duration hint, String reason) {

    /** What follows an attempt. */
    public enum Kind {
        /** The operation is done. */
        SUCCESS,
        /** Try again at once, but only once in an operation; then as {@link #RETRY}. */
        RETRY_NOW,
        /** Try again after the back-off. */
        RETRY,
        /** Trying again cannot help. */
        NEVER
    }

    private static final Verdict DONE = new Verdict(Kind.SUCCESS, false, null, "success");

    /**
     * Makes a verdict.
     *
     * @param kind what follows
     * @param ambiguous whether the attempt may have been applied although its answer was lost
     * @param hint the server's hint of when to come back, a floor for the delay; null when it gave none
     * @param reason the cause in a few words, such as the status and the error code; never a secret
     * @throws IllegalArgumentException if the hint is negative
     */
    public Verdict {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(reason, "reason");
        if (hint != null) {
            Duration hinted = hint.compareTo(Bounds.LONGEST) > 0 ? Bounds.LONGEST : hint;
            hint = Bounds.atLeast("hint", hinted, Duration.ZERO);
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
        return new Verdict(Kind.RETRY_NOW, false, null, reason);
    }

    /**
     * Returns the verdict on an attempt that may succeed later.
     *
     * @param reason the cause in a few words
     * @return the verdict
     */
    public static Verdict retry(String reason) {
        return new Verdict(Kind.RETRY, false, null, reason);
    }

    /**
     * Returns the verdict on an attempt that would fail again.
     *
     * @param reason the cause in a few words
     * @return the verdict
     */
    public static Verdict never(String reason) {
        return new Verdict(Kind.NEVER, false, null, reason);
    }

    /**
     * Returns the same verdict with the server's hint.
     *
     * @param hint the time after which to come back
     * @return the verdict
     * @throws IllegalArgumentException if the hint is negative
     */
    public Verdict withHint(Duration hint) {
        return new Verdict(kind, ambiguous, Objects.requireNonNull(hint, "hint"), reason);
    }

    /**
     * Returns the same verdict on an attempt that may have been applied.
     *
     * @return the verdict
     */
    public Verdict asAmbiguous() {
        return new Verdict(kind, true, hint, reason);
    }
}
