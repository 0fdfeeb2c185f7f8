package io.stowline.retry.engine;

import io.stowline.retry.Deadline;
import io.stowline.retry.QuotaExhaustedPolicy;
import io.stowline.retry.RetrySettings;
import java.util.Objects;

/** What bounds one operation: how often, until when and at whose cost it is tried. */
record RetryLimits(
        RetrySettings settings,
        Deadline deadline,
        RetryQuota quota,
        QuotaExhaustedPolicy whenEmpty,
        boolean untilDeadline) {

    RetryLimits {
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(deadline, "deadline");
        Objects.requireNonNull(quota, "quota");
        Objects.requireNonNull(whenEmpty, "whenEmpty");
    }

    /** Whether there is no retry after so many. */
    boolean usedUp(int retries) {
        return untilDeadline ? settings.backoff().isNone() : retries >= settings.retries();
    }

    RetryLimits within(RetryQuota other, QuotaExhaustedPolicy when) {
        return new RetryLimits(settings, deadline, other, when, untilDeadline);
    }

    RetryLimits forAsLong() {
        return new RetryLimits(settings, deadline, quota, whenEmpty, true);
    }
}
