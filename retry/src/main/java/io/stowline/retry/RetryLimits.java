package io.stowline.retry;

import java.util.Objects;

/** What bounds one operation: how often, until when and at whose cost it is tried. */
record RetryLimits(RetrySettings settings, Deadline deadline, RetryQuota quota, EmptyQuota whenEmpty) {

    RetryLimits {
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(deadline, "deadline");
        Objects.requireNonNull(quota, "quota");
        Objects.requireNonNull(whenEmpty, "whenEmpty");
    }
}
