package io.stowline.transport.internal.client;

import io.stowline.retry.QuotaSettings;
import io.stowline.retry.internal.engine.RetryQuota;
import io.stowline.retry.internal.gate.PartitionedGate;
import io.stowline.retry.internal.rate.RateLimit;
import io.stowline.retry.internal.rate.RefillClock;
import io.stowline.transport.ScalabilityTargets;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.limits.CircuitBreakerGuard;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.limits.ServiceRateLimiter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** A factory of the limits of an account's services: each has its own, but for the account's rate, which they share. */
final class ServiceLimitsFactory {

    private final String account;
    private final ClientSettings.ClientBounds bounds;
    private final Scheduler timer;
    private final RefillClock refillClock;
    private final @Nullable RateLimit accountRate;

    ServiceLimitsFactory(String account, ClientSettings.ClientBounds bounds, Scheduler timer) {
        this.account = account;
        this.bounds = bounds;
        this.timer = timer;
        ScalabilityTargets targets = bounds.targets();
        this.refillClock = targets == null ? RefillClock.steady(timer) : RefillClock.ramping(timer, targets.rampOver());
        this.accountRate = targets == null
                ? null
                : RateLimit.perSecond(targets.accountEntities(), targets.accountEntities(), refillClock);
    }

    static String label(Service service) {
        return service.name().toLowerCase(Locale.ROOT);
    }

    ServiceLimits of(Service service) {
        return new ServiceLimits(
                PartitionedGate.of(bounds.parallelism(), timer),
                quota(),
                bounds.breakers() == null
                        ? CircuitBreakerGuard.OFF
                        : bounds.breakers().apply(account + "-" + label(service)),
                rates(service));
    }

    private RetryQuota quota() {
        QuotaSettings quota = bounds.quota();
        return quota == null
                ? RetryQuota.unlimited()
                : RetryQuota.of(quota.sizedFor(bounds.parallelism().max()), timer);
    }

    private @Nullable ServiceRateLimiter rates(Service service) {
        ScalabilityTargets targets = bounds.targets();
        return targets == null || accountRate == null
                ? null
                : ServiceRateLimiter.of(targets, service, accountRate, refillClock);
    }
}
