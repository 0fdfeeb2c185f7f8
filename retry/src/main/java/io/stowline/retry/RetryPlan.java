package io.stowline.retry;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The decisions of one operation after its attempts. Used by one thread at a time. */
final class RetryPlan {

    /** A classifier bounds its remedies itself; beyond this number they count as retries, so that no operation goes on for ever. */
    private static final int MOST_REMEDIES = 8;

    private final RetryLimits limits;
    private final RandomGenerator random;
    private int retriesUsed;
    private int remedies;
    private boolean retriedAtOnce;
    private boolean retriedOnce;
    private @Nullable Claim claim;

    RetryPlan(RetryLimits limits, RandomGenerator random) {
        this.limits = limits;
        this.random = random;
    }

    Decision after(Verdict verdict, BooleanSupplier replayable) {
        if (verdict.kind() == Verdict.Kind.SUCCESS) {
            limits.quota().succeeded(claim);
            return new Decision.End(Stop.SUCCEEDED);
        }
        if (verdict.kind() == Verdict.Kind.NEVER) {
            return new Decision.End(Stop.NOT_RETRYABLE);
        }
        if (verdict.kind() == Verdict.Kind.RETRY_ONCE && retriedOnce) {
            return new Decision.End(Stop.NOT_RETRYABLE);
        }
        boolean remedied = verdict.kind() == Verdict.Kind.REMEDIED && remedies < MOST_REMEDIES;
        if (!remedied && limits.usedUp(retriesUsed)) {
            return new Decision.End(Stop.RETRIES_EXHAUSTED);
        }
        if (!replayable.getAsBoolean()) {
            return new Decision.End(Stop.BODY_NOT_REPLAYABLE);
        }
        return inTime(
                verdict,
                remedied ? remedy() : ownDelay(verdict),
                limits.settings().untilLastStart(limits.deadline()));
    }

    /** The client has mended the cause: the next attempt is the one that the caller asked for, and no retry. */
    private Duration remedy() {
        remedies++;
        return Duration.ZERO;
    }

    private Duration ownDelay(Verdict verdict) {
        retriesUsed++;
        retriedOnce = retriedOnce || verdict.kind() == Verdict.Kind.RETRY_ONCE;
        if (verdict.kind() == Verdict.Kind.RETRY_NOW && !retriedAtOnce) {
            retriedAtOnce = true;
            return Duration.ZERO;
        }
        return limits.settings().backoff().delay(retriesUsed, random);
    }

    private Decision inTime(Verdict verdict, Duration own, Duration available) {
        Duration hint = verdict.hint();
        if (hint != null && hint.compareTo(available) > 0) {
            return new Decision.End(Stop.HINT_BEYOND_DEADLINE);
        }
        Duration wait = hint != null && hint.compareTo(own) > 0 ? hint : own;
        return wait.compareTo(available) > 0
                ? new Decision.End(Stop.DEADLINE)
                : paid(limits.quota().claim(verdict), wait, available);
    }

    private Decision paid(Claim next, Duration wait, Duration available) {
        if (!next.tryTake() && limits.whenEmpty() == EmptyQuota.REFUSE) {
            return new Decision.End(Stop.QUOTA_EMPTY);
        }
        claim = next;
        return new Decision.Again(wait, available, next);
    }
}
