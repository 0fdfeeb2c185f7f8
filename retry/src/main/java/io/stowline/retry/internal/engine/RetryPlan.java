package io.stowline.retry.internal.engine;

import io.stowline.retry.RetrySettings;
import io.stowline.retry.StopReason;
import io.stowline.retry.internal.rate.TokenRequest;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The decisions of one operation after its attempts. Used by one thread at a time. */
final class RetryPlan {

    /**
     * Bound of the remedies of a classifier that sets none itself: later ones count as retries, so that each operation
     * ends.
     */
    private static final int MAX_REMEDIES = 8;

    private final RetryLimits limits;
    private final RandomGenerator random;
    private int retriesUsed;
    private int remedies;
    private boolean retriedAtOnce;
    private boolean retriedOnce;
    private @Nullable TokenRequest claim;

    RetryPlan(RetryLimits limits, RandomGenerator random) {
        this.limits = limits;
        this.random = random;
    }

    RetryDecision after(Verdict verdict, BooleanSupplier replayable, BooleanSupplier progressed) {
        if (verdict.kind() == Verdict.VerdictKind.SUCCESS) {
            limits.quota().succeeded(claim);
            return new RetryDecision.End(StopReason.SUCCEEDED);
        }
        if (progressed.getAsBoolean()) {
            progressed();
        }
        if (verdict.kind() == Verdict.VerdictKind.NEVER) {
            return new RetryDecision.End(StopReason.NOT_RETRYABLE);
        }
        if (verdict.kind() == Verdict.VerdictKind.RETRY_ONCE && retriedOnce) {
            return new RetryDecision.End(StopReason.NOT_RETRYABLE);
        }
        boolean remedied = verdict.kind() == Verdict.VerdictKind.REMEDIED && remedies < MAX_REMEDIES;
        if (!remedied && limits.usedUp(retriesUsed)) {
            return new RetryDecision.End(StopReason.RETRIES_EXHAUSTED);
        }
        if (!replayable.getAsBoolean()) {
            return new RetryDecision.End(StopReason.BODY_NOT_REPLAYABLE);
        }
        return inTime(
                verdict,
                remedied ? remedy() : ownDelay(verdict),
                limits.deadline().untilLastStart(limits.settings()));
    }

    /** A partial success refills the quota like a whole one, and the retries are counted from here. */
    private void progressed() {
        limits.quota().succeeded(claim);
        claim = null;
        retriesUsed = 0;
        retriedAtOnce = false;
        retriedOnce = false;
    }

    /** Takes no retry: the client has removed the cause, and the next attempt sends the original request. */
    private Duration remedy() {
        remedies++;
        return Duration.ZERO;
    }

    private Duration ownDelay(Verdict verdict) {
        retriesUsed++;
        retriedOnce = retriedOnce || verdict.kind() == Verdict.VerdictKind.RETRY_ONCE;
        if (verdict.kind() == Verdict.VerdictKind.RETRY_NOW && !retriedAtOnce) {
            retriedAtOnce = true;
            return Duration.ZERO;
        }
        return limits.settings().backoff().delay(retriesUsed, random);
    }

    private RetryDecision inTime(Verdict verdict, Duration own, Duration available) {
        Duration hint = verdict.hint();
        if (hint != null && hint.compareTo(available) > 0) {
            return new RetryDecision.End(StopReason.HINT_BEYOND_DEADLINE);
        }
        Duration wait = hint != null && hint.compareTo(own) > 0 ? hint : own;
        return wait.compareTo(available) > 0
                ? new RetryDecision.End(StopReason.DEADLINE)
                : paid(limits.quota().claim(verdict), wait, available);
    }

    private RetryDecision paid(TokenRequest next, Duration wait, Duration available) {
        if (!next.tryTake() && limits.whenEmpty() == RetryQuota.ExhaustedPolicy.REFUSE) {
            return new RetryDecision.End(StopReason.QUOTA_EMPTY);
        }
        claim = next;
        return new RetryDecision.Again(wait, available, next);
    }

    /** The limits of one operation: its retries, its deadline and its quota. */
    record RetryLimits(
            RetrySettings settings,
            Deadline deadline,
            RetryQuota quota,
            RetryQuota.ExhaustedPolicy whenEmpty,
            boolean untilDeadline) {

        RetryLimits {
            Objects.requireNonNull(settings, "settings");
            Objects.requireNonNull(deadline, "deadline");
            Objects.requireNonNull(quota, "quota");
            Objects.requireNonNull(whenEmpty, "whenEmpty");
        }

        /** Returns whether the operation has no further retry after this number of them. */
        boolean usedUp(int retries) {
            return untilDeadline ? settings.backoff().isNone() : retries >= settings.retries();
        }
    }

    /** The step after an attempt. */
    sealed interface RetryDecision {

        /** The end of the operation. */
        record End(StopReason stop) implements RetryDecision {}

        /**
         * A further attempt that starts after the pause, with the claim's tokens.
         *
         * @param pause the delay from now
         * @param patience the time, from now, after which it is too late to start
         * @param claim the tokens it takes; not held yet when they have to be waited for
         */
        record Again(Duration pause, Duration patience, TokenRequest claim) implements RetryDecision {}
    }
}
