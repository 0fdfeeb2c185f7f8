package io.stowline.transport.internal;

import io.stowline.retry.PartitionedGate;
import io.stowline.retry.QuotaSettings;
import io.stowline.retry.RateLimit;
import io.stowline.retry.RetryQuota;
import io.stowline.transport.ScalabilityTargets;
import io.stowline.transport.internal.StorageAccount.Service;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** Makes the limits of an account's services: each has its own, but for the account's rate, which they share. */
final class BoundsOfServices {

    private final String account;
    private final ClientSettings.Bounds bounds;
    private final Scheduler timer;
    private final @Nullable RateLimit accountRate;

    BoundsOfServices(String account, ClientSettings.Bounds bounds, Scheduler timer) {
        this.account = account;
        this.bounds = bounds;
        this.timer = timer;
        ScalabilityTargets targets = bounds.targets();
        this.accountRate = targets == null
                ? null
                : RateLimit.perSecond(targets.accountEntities(), targets.accountEntities(), timer);
    }

    static String label(Service service) {
        return service.name().toLowerCase(Locale.ROOT);
    }

    Limits of(Service service) {
        return new Limits(
                PartitionedGate.of(bounds.parallelism(), timer),
                quota(),
                bounds.breakers() == null ? Breaker.OFF : bounds.breakers().apply(account + "-" + label(service)),
                rates(service));
    }

    private RetryQuota quota() {
        QuotaSettings quota = bounds.quota();
        return quota == null
                ? RetryQuota.unlimited()
                : RetryQuota.of(quota.sizedFor(bounds.parallelism().most()), timer);
    }

    private @Nullable Rates rates(Service service) {
        ScalabilityTargets targets = bounds.targets();
        return targets == null || accountRate == null ? null : Rates.of(targets, service, accountRate, timer);
    }
}
