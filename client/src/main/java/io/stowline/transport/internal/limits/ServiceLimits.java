package io.stowline.transport.internal.limits;

import io.stowline.retry.engine.RetryQuota;
import io.stowline.retry.internal.gate.PartitionedGate;
import org.jspecify.annotations.Nullable;

/**
 * What bounds the attempts to one service of one account.
 *
 * @param gates how many are in flight
 * @param quota what retries may cost
 * @param breaker whether any may go
 * @param rates how many may go in a second, or {@code null} for any number
 */
public record ServiceLimits(
        PartitionedGate<String> gates,
        RetryQuota quota,
        CircuitBreakerGuard breaker,
        @Nullable ServiceRateLimiter rates) {

    /** Nothing but a bound on what is in flight. */
    public static ServiceLimits of(PartitionedGate<String> gates) {
        return new ServiceLimits(gates, RetryQuota.unlimited(), CircuitBreakerGuard.OFF, null);
    }
}
