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
 * The settings of a client, whatever the account. Immutable.
 *
 * @param retry the retry settings of operations
 * @param http the transport settings
 * @param callbacks the executor of the user's code, or {@code null} for threads of the client
 * @param listener the listener of what happens, or {@code null} for none
 * @param readFrom the places of safe reads
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
     * The bounds of the attempts to each service.
     *
     * @param parallelism the attempts in flight
     * @param quota the cost of retries, or {@code null} for any
     * @param targets the attempts in a second, or {@code null} for any number
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
         * Returns the bounds with another parallelism.
         *
         * @param settings the attempts in flight
         */
        public ClientBounds with(ParallelismSettings settings) {
            return new ClientBounds(settings, quota, targets, breakers);
        }

        /**
         * Returns the bounds with another quota.
         *
         * @param settings the cost of retries, or {@code null} for any
         */
        public ClientBounds with(@Nullable QuotaSettings settings) {
            return new ClientBounds(parallelism, settings, targets, breakers);
        }

        /**
         * Returns the bounds with rates.
         *
         * @param rates the attempts in a second
         */
        public ClientBounds with(ScalabilityTargets rates) {
            return new ClientBounds(parallelism, quota, rates, breakers);
        }

        /**
         * Returns the bounds with circuit breakers.
         *
         * @param made makes the circuit breaker of a service by its name
         */
        public ClientBounds with(Function<String, CircuitBreakerGuard> made) {
            return new ClientBounds(parallelism, quota, targets, made);
        }
    }

    /**
     * Returns the settings with other retries.
     *
     * @param settings the retry settings of operations
     */
    public ClientSettings with(RetrySettings settings) {
        return new ClientSettings(
                settings, bounds, http, callbacks, listener, readFrom, cache, clockTolerance, version);
    }

    /**
     * Returns the settings with other bounds.
     *
     * @param other the bounds of the attempts
     */
    public ClientSettings with(ClientBounds other) {
        return new ClientSettings(retry, other, http, callbacks, listener, readFrom, cache, clockTolerance, version);
    }

    /**
     * Returns the settings with another transport.
     *
     * @param other the transport settings
     */
    public ClientSettings with(HttpSettings other) {
        return new ClientSettings(retry, bounds, other, callbacks, listener, readFrom, cache, clockTolerance, version);
    }

    /**
     * Returns the settings with an executor.
     *
     * @param executor the executor of the user's code
     */
    public ClientSettings with(Executor executor) {
        return new ClientSettings(retry, bounds, http, executor, listener, readFrom, cache, clockTolerance, version);
    }

    /**
     * Returns the settings with a listener.
     *
     * @param listener the listener of what happens
     */
    public ClientSettings with(StowlineListener listener) {
        return new ClientSettings(retry, bounds, http, callbacks, listener, readFrom, cache, clockTolerance, version);
    }

    /**
     * Returns the settings with another source of reads.
     *
     * @param source the places of safe reads
     */
    public ClientSettings with(ReadFrom source) {
        return new ClientSettings(retry, bounds, http, callbacks, listener, source, cache, clockTolerance, version);
    }

    /**
     * Returns the settings with another cache.
     *
     * @param other changes the default settings of the cache
     */
    public ClientSettings caching(UnaryOperator<ResponseCache.Builder> other) {
        return new ClientSettings(retry, bounds, http, callbacks, listener, readFrom, other, clockTolerance, version);
    }

    /**
     * Returns the settings with another tolerance of clocks.
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
     * Returns the settings with another version of the services.
     *
     * @param other the version that all requests name
     */
    public ClientSettings with(ServiceVersion other) {
        return new ClientSettings(retry, bounds, http, callbacks, listener, readFrom, cache, clockTolerance, other);
    }
}
