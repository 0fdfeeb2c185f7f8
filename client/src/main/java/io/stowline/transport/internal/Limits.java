package io.stowline.transport.internal;

import io.stowline.retry.PartitionedGate;
import io.stowline.retry.RetryQuota;
import org.jspecify.annotations.Nullable;

/**
 * What bounds the attempts to one service of one account.
 *
 * @param gates how many are in flight
 * @param quota what retries may cost
 * @param breaker whether any may go
 * @param rates how many may go in a second, or {@code null} for any number
 */
record Limits(
        PartitionedGate<String> gates,
        RetryQuota quota,
        Breaker breaker,
        @Nullable Rates rates) {

    /** Nothing but a bound on what is in flight. */
    static Limits of(PartitionedGate<String> gates) {
        return new Limits(gates, RetryQuota.unlimited(), Breaker.OFF, null);
    }
}
