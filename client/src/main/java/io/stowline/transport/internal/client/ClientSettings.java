package io.stowline.transport.internal.client;

import io.stowline.caching.ResponseCache;
import io.stowline.observe.StowlineListener;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.QuotaSettings;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.ScalabilityTargets;
import io.stowline.transport.internal.limits.CircuitBreakerGuard;
import io.stowline.transport.internal.netty.HttpSettings;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.request.ServiceVersion;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How a client works, whatever the account. Immutable.
 *
 * @param retry how operations are tried
 * @param http how requests travel
 * @param callbacks where the user's code runs, or {@code null} for threads of the client's own
 * @param listener the listener of what happens, or {@code null} for none
 * @param readFrom where safe reads go
 * @param cache changes the default settings of the cache, or {@code null} for the defaults when one is needed
 * @param clockTolerance how far the clocks of the service's machines may differ
 * @param version the version of the services that all requests name
 */
public record ClientSettings(
        RetrySettings retry,
        ClientBounds bounds,
        HttpSettings http,
        @Nullable Executor callbacks,
        @Nullable StowlineListener listener,
        ReadFrom readFrom,
        @Nullable UnaryOperator<ResponseCache.Builder> cache,
        Duration clockTolerance,
        ServiceVersion version) {

    /** The defaults. */
    public static final ClientSettings DEFAULT = new ClientSettings(
            RetrySettings.defaults(),
            ClientBounds.DEFAULT,
            HttpSettings.DEFAULT,
            null,
            null,
            ReadFrom.PRIMARY,
            null,
            UnresolvedAttempts.TOLERANCE,
            ServiceVersion.DEFAULT);

    /**
     * What bounds the attempts to each service.
     *
     * @param parallelism how many are in flight
     * @param quota what retries may cost, or {@code null} for anything
     * @param targets how many may go in a second, or {@code null} for any number
     * @param breakers makes the circuit breaker of a service by its name, or {@code null} for none
     */
    public record ClientBounds(
            ParallelismSettings parallelism,
            @Nullable QuotaSettings quota,
            @Nullable ScalabilityTargets targets,
            @Nullable Function<String, CircuitBreakerGuard> breakers) {

        /** Adaptive parallelism and a retry quota. */
        public static final ClientBounds DEFAULT =
                new ClientBounds(ParallelismSettings.adaptive(), QuotaSettings.defaults(), null, null);

        /**
         * The same bounds with another parallelism.
         *
         * @param settings how many are in flight
         */
        public ClientBounds with(ParallelismSettings settings) {
            return new ClientBounds(settings, quota, targets, breakers);
        }

        /**
         * The same bounds with another quota.
         *
         * @param settings what retries may cost, or {@code null} for anything
         */
        public ClientBounds with(@Nullable QuotaSettings settings) {
            return new ClientBounds(parallelism, settings, targets, breakers);
        }

        /**
         * The same bounds with rates.
         *
         * @param rates how many may go in a second
         */
        public ClientBounds with(ScalabilityTargets rates) {
            return new ClientBounds(parallelism, quota, rates, breakers);
        }

        /**
         * The same bounds with circuit breakers.
         *
         * @param made makes the circuit breaker of a service by its name
         */
        public ClientBounds with(Function<String, CircuitBreakerGuard> made) {
            return new ClientBounds(parallelism, quota, targets, made);
        }
    }

    /**
     * The same settings with another way of trying.
     *
     * @param settings how operations are tried
     */
    public ClientSettings with(RetrySettings settings) {
        return new ClientSettings(
                settings, bounds, http, callbacks, listener, readFrom, cache, clockTolerance, version);
    }

    /**
     * The same settings with other bounds.
     *
     * @param other what bounds the attempts
     */
    public ClientSettings with(ClientBounds other) {
        return new ClientSettings(retry, other, http, callbacks, listener, readFrom, cache, clockTolerance, version);
    }

    /**
     * The same settings with another transport.
     *
     * @param other how requests travel
     */
    public ClientSettings with(HttpSettings other) {
        return new ClientSettings(retry, bounds, other, callbacks, listener, readFrom, cache, clockTolerance, version);
    }

    /**
     * The same settings with an executor.
     *
     * @param executor where the user's code runs
     */
    public ClientSettings with(Executor executor) {
        return new ClientSettings(retry, bounds, http, executor, listener, readFrom, cache, clockTolerance, version);
    }

    /**
     * The same settings with a listener.
     *
     * @param listener the listener of what happens
     */
    public ClientSettings with(StowlineListener listener) {
        return new ClientSettings(retry, bounds, http, callbacks, listener, readFrom, cache, clockTolerance, version);
    }

    /**
     * The same settings with another source of reads.
     *
     * @param source where safe reads go
     */
    public ClientSettings with(ReadFrom source) {
        return new ClientSettings(retry, bounds, http, callbacks, listener, source, cache, clockTolerance, version);
    }

    /**
     * The same settings with another cache.
     *
     * @param other changes the default settings of the cache
     */
    public ClientSettings caching(UnaryOperator<ResponseCache.Builder> other) {
        return new ClientSettings(retry, bounds, http, callbacks, listener, readFrom, other, clockTolerance, version);
    }

    /**
     * The same settings with another tolerance of clocks.
     *
     * @param tolerance how far the clocks of the service's machines may differ, zero to 15 minutes
     * @throws IllegalArgumentException if the tolerance is out of range
     */
    public ClientSettings clockTolerance(Duration tolerance) {
        if (tolerance.isNegative() || tolerance.compareTo(Duration.ofMinutes(15)) > 0) {
            throw new IllegalArgumentException("clockTolerance must be zero to 15 minutes but was " + tolerance);
        }
        return new ClientSettings(retry, bounds, http, callbacks, listener, readFrom, cache, tolerance, version);
    }

    /**
     * The same settings with another version of the services.
     *
     * @param other the version that all requests name
     */
    public ClientSettings with(ServiceVersion other) {
        return new ClientSettings(retry, bounds, http, callbacks, listener, readFrom, cache, clockTolerance, other);
    }
}
