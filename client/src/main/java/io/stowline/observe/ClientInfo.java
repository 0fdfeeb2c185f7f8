package io.stowline.observe;

import io.stowline.error.internal.PrintableText;
import io.stowline.retry.RetrySettings;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings with which a client works with one service, read from the objects that carry them out. Immutable.
 *
 * @param libraryVersion the version of this library; {@code dev} for one that is not packed
 * @param azureCoreVersion the version of azure-core; empty if it does not give one
 * @param serviceVersion the version of the service that all requests name
 * @param retry the retry settings of operations, unless a view has others
 * @param maxParallelism the largest limit of attempts in flight; {@link ServiceState#permitLimit} is the present one
 * @param connections the connections of the library's HTTP client; {@code null} if the application has given another one
 * @param cache whether a cache is open
 * @param rateTargets whether attempts keep below rate targets
 * @param retryQuota whether a quota bounds retries
 */
public record ClientInfo(
        String libraryVersion,
        String azureCoreVersion,
        String serviceVersion,
        RetrySettings retry,
        int maxParallelism,
        @Nullable ConnectionInfo connections,
        boolean cache,
        boolean rateTargets,
        boolean retryQuota) {

    /**
     * Checks that everything is there.
     *
     * @param libraryVersion the version of this library
     * @param azureCoreVersion the version of azure-core
     * @param serviceVersion the version of the service that all requests name
     * @param retry the retry settings of operations
     * @param maxParallelism the largest limit of attempts in flight
     * @param connections the connections of the library's HTTP client, or {@code null}
     * @param cache whether a cache is open
     * @param rateTargets whether attempts keep below rate targets
     * @param retryQuota whether a quota bounds retries
     */
    public ClientInfo {
        Objects.requireNonNull(libraryVersion, "libraryVersion");
        Objects.requireNonNull(azureCoreVersion, "azureCoreVersion");
        Objects.requireNonNull(serviceVersion, "serviceVersion");
        Objects.requireNonNull(retry, "retry");
    }

    @Override
    public String toString() {
        return PrintableText.of("ClientInfo[libraryVersion=" + libraryVersion + ", azureCoreVersion=" + azureCoreVersion
                + ", serviceVersion=" + serviceVersion + ", retry=" + retry + ", maxParallelism=" + maxParallelism
                + ", connections=" + connections + ", cache=" + cache + ", rateTargets=" + rateTargets
                + ", retryQuota=" + retryQuota + "]");
    }

    /**
     * The connections of the library's HTTP client to one host.
     *
     * @param maxConnections the most at once
     * @param httpVersion the version of HTTP, such as {@code HTTP/1.1}
     * @param noDelay whether Nagle's algorithm is off
     * @param keepAlive whether TCP probes idle connections
     * @param compressed whether responses may come compressed
     * @param maxIdle the longest time open without a request
     * @param maxAge the largest age
     */
    public record ConnectionInfo(
            int maxConnections,
            String httpVersion,
            boolean noDelay,
            boolean keepAlive,
            boolean compressed,
            Duration maxIdle,
            Duration maxAge) {

        /**
         * Checks that everything is there.
         *
         * @param maxConnections the most at once
         * @param httpVersion the version of HTTP
         * @param noDelay whether Nagle's algorithm is off
         * @param keepAlive whether TCP probes idle connections
         * @param compressed whether responses may come compressed
         * @param maxIdle the longest time open without a request
         * @param maxAge the largest age
         */
        public ConnectionInfo {
            Objects.requireNonNull(httpVersion, "httpVersion");
            Objects.requireNonNull(maxIdle, "maxIdle");
            Objects.requireNonNull(maxAge, "maxAge");
        }

        @Override
        public String toString() {
            return PrintableText.of("ConnectionInfo[maxConnections=" + maxConnections + ", httpVersion=" + httpVersion
                    + ", noDelay=" + noDelay + ", keepAlive=" + keepAlive + ", compressed=" + compressed + ", maxIdle="
                    + maxIdle + ", maxAge=" + maxAge + "]");
        }
    }
}
