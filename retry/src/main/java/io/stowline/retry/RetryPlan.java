package io.stowline.retry;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The decisions of one operation after its failed attempts. Used by one thread at a time. */
final class RetryPlan {

    private final RetrySettings settings;
    private final Deadline deadline;
    private final RandomGenerator random;
    private int retriesUsed;
    private boolean retriedAtOnce;

    RetryPlan(RetrySettings settings, Deadline deadline, RandomGenerator random) {
        this.settings = settings;
        this.deadline = deadline;
        this.random = random;
    }

    Decision after(Verdict verdict, BooleanSupplier replayable) {
        if (verdict.kind() == Verdict.Kind.SUCCESS) {
            return Decision.end(Stop.SUCCEEDED);
        }
        if (verdict.kind() == Verdict.Kind.NEVER) {
            return Decision.end(Stop.NOT_RETRYABLE);
        }
        if (retriesUsed == settings.retries()) {
            return Decision.end(Stop.RETRIES_EXHAUSTED);
        }
        if (!replayable.getAsBoolean()) {
            return Decision.end(Stop.BODY_NOT_REPLAYABLE);
        }
        retriesUsed++;
        return within(settings.untilLastStart(deadline), ownDelay(verdict), verdict.hint());
    }

    private Duration ownDelay(Verdict verdict) {
        if (verdict.kind() == Verdict.Kind.RETRY_NOW && !retriedAtOnce) {
            retriedAtOnce = true;
            return Duration.ZERO;
        }
        return settings.backoff().delay(retriesUsed, random);
    }

    private static Decision within(Duration available, Duration own, @Nullable Duration hint) {
        if (hint != null && hint.compareTo(available) > 0) {
            return Decision.end(Stop.HINT_BEYOND_DEADLINE);
        }
        Duration wait = hint != null && hint.compareTo(own) > 0 ? hint : own;
        return wait.compareTo(available) > 0 ? Decision.end(Stop.DEADLINE) : Decision.again(wait);
    }
}
