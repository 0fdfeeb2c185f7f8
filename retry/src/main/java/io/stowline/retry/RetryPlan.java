package io.stowline.retry;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The decisions of one operation after its attempts. Used by one thread at a time. */
final class RetryPlan {

    private final RetryLimits limits;
    private final RandomGenerator random;
    private int retriesUsed;
    private boolean retriedAtOnce;
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
        if (retriesUsed == limits.settings().retries()) {
            return new Decision.End(Stop.RETRIES_EXHAUSTED);
        }
        if (!replayable.getAsBoolean()) {
            return new Decision.End(Stop.BODY_NOT_REPLAYABLE);
        }
        retriesUsed++;
        return inTime(verdict, ownDelay(verdict), limits.settings().untilLastStart(limits.deadline()));
    }

    private Duration ownDelay(Verdict verdict) {
        if (verdict.kind() != Verdict.Kind.RETRY && !retriedAtOnce) {
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
