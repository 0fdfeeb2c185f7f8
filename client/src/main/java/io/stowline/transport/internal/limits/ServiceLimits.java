package io.stowline.transport.internal.limits;

import io.stowline.retry.internal.engine.RetryQuota;
import io.stowline.retry.internal.gate.PartitionedGate;
import org.jspecify.annotations.Nullable;

/**
 * The limits of the attempts to one service of one account.
 *
 * @param gates the attempts in flight
 * @param quota the cost of retries
 * @param breaker whether any may go
 * @param rates the attempts in a second, or {@code null} for any number
 */
public record ServiceLimits(
        PartitionedGate<String> gates,
        RetryQuota quota,
        CircuitBreakerGuard breaker,
        @Nullable ServiceRateLimiter rates) {

    /** Returns limits with a bound on the attempts in flight only. */
    public static ServiceLimits of(PartitionedGate<String> gates) {
        return new ServiceLimits(gates, RetryQuota.unlimited(), CircuitBreakerGuard.OFF, null);
    }
}
