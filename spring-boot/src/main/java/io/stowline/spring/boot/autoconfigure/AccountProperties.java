package io.stowline.spring.boot.autoconfigure;

import io.stowline.table.ScanPolicy;
import io.stowline.transport.ReadFrom;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties of one storage account: {@code stowline} for the default client, {@code stowline.accounts.<name>} for a further one. A
 * property that is not set leaves the default of {@link io.stowline.Stowline.Builder} in force.
 *
 * <p>Immutable and thread-safe.
 *
 * @param connectionString Connection string of the account, or "UseDevelopmentStorage=true" for an emulator on this machine.
 * @param endpoint Endpoint of any one service of the account, from which those of the other services follow.
 * @param accountName Name of the account, which alone stands for its endpoints in the public cloud.
 * @param accountKey Key of the account.
 * @param sasToken Shared access signature, with or without a leading question mark.
 * @param allowSasOverHttp Whether a shared access signature may be sent in plain text to another machine.
 * @param table Settings of the table service.
 * @param queue Settings of the queue service.
 * @param blob Settings of the blob service.
 * @param applicationId Name of the application in the User-Agent of all requests, of 1 to 24 letters, digits and ". - _ /".
 * @param connectionAge Maximum age of a connection, after which a change of DNS is seen.
 * @param clockTolerance How far the clocks of the service's machines may differ.
 * @param serviceVersion Version of the storage services that all requests name; an older one is for clouds and emulators that lag behind.
 * @param closeTimeout How long closing the client waits for operations in flight.
 * @param resourceScheme Scheme of the locations of this account's blobs as Spring resources, such as "azure-blob" in "azure-blob://photos/a.jpg".
 * @param readFrom Where reads go whose results name their origin.
 * @param scans Policy for queries that scan a whole table.
 * @param retry Settings of retries.
 * @param parallelism Settings of the number of requests in flight.
 * @param quota Settings of the retry quota.
 * @param rateTargets Rates that the client stays below by waiting.
 * @param cache Settings of the cache behind cached reads.
 */
@ConfigurationProperties(AccountProperties.PREFIX)
public record AccountProperties(
        @Nullable String connectionString,
        @Nullable String endpoint,
        @Nullable String accountName,
        @Nullable String accountKey,
        @Nullable String sasToken,
        @DefaultValue("false") boolean allowSasOverHttp,
        @DefaultValue ServiceEndpoint table,
        @DefaultValue ServiceEndpoint queue,
        @DefaultValue ServiceEndpoint blob,
        @Nullable String applicationId,
        @Nullable Duration connectionAge,
        @Nullable Duration clockTolerance,
        @Nullable String serviceVersion,
        @Nullable Duration closeTimeout,
        @Nullable String resourceScheme,
        @Nullable ReadFrom readFrom,
        @Nullable ScanPolicy scans,
        @DefaultValue Retry retry,
        @DefaultValue Parallelism parallelism,
        @DefaultValue Quota quota,
        @DefaultValue RateTargets rateTargets,
        @DefaultValue Cache cache) {

    /** The prefix of the default account's properties. */
    public static final String PREFIX = "stowline";

    /** Names the account only: key, signature and connection string are never shown. */
    @Override
    public String toString() {
        return "AccountProperties[accountName=" + accountName + "]";
    }

    /**
     * The settings of one service.
     *
     * @param endpoint Endpoint of the service, which takes precedence over what other settings imply.
     */
    public record ServiceEndpoint(@Nullable String endpoint) {}

    /**
     * The settings of attempts and retries.
     *
     * @param backoff Preset of the waits between attempts.
     * @param retries Number of attempts after the first.
     * @param deadline Time for all attempts of an operation and the waits between them.
     * @param attemptTimeout Time after which the client abandons an attempt.
     * @param serverTimeout Time that the service has for a request.
     */
    public record Retry(
            @Nullable BackoffPreset backoff,
            @Nullable Integer retries,
            @Nullable Duration deadline,
            @Nullable Duration attemptTimeout,
            @Nullable Duration serverTimeout) {}

    /**
     * The bounds of the requests in flight for each service.
     *
     * @param fixed Constant number of requests in flight, in place of an adaptive one.
     * @param start Number at first and after a long rest.
     * @param min Lowest number.
     * @param max Highest number.
     * @param window Time in which the number changes at most once.
     */
    public record Parallelism(
            @Nullable Integer fixed,
            @Nullable Integer start,
            @Nullable Integer min,
            @Nullable Integer max,
            @Nullable Duration window) {

        boolean adapts() {
            return start != null || min != null || max != null || window != null;
        }
    }

    /**
     * The costs of retries.
     *
     * @param capacity Tokens of a full quota.
     * @param transientCost Tokens that a retry takes after a timeout, a reset or a server error.
     * @param throttledCost Tokens that a retry takes after throttling.
     * @param refillPerSecond Tokens that come back in a second.
     */
    public record Quota(
            @Nullable Integer capacity,
            @Nullable Integer transientCost,
            @Nullable Integer throttledCost,
            @Nullable Integer refillPerSecond) {

        boolean isSet() {
            return capacity != null || transientCost != null || throttledCost != null || refillPerSecond != null;
        }
    }

    /**
     * The rates that the client stays below.
     *
     * @param preset Scalability targets of the services to stay below.
     * @param share Part of these targets for this application, above 0 and up to 1.
     * @param rampOver Time in which the rates rise from a tenth to the targets, a second to a day.
     */
    public record RateTargets(
            @Nullable RateTargetPreset preset,
            @Nullable Double share,
            @Nullable Duration rampOver) {}

    /**
     * The cache behind cached reads.
     *
     * @param memory Memory for responses.
     * @param maxInMemory Size of the largest response that is kept in memory.
     * @param disk Settings of the cache's tier on disk.
     */
    public record Cache(
            @Nullable DataSize memory,
            @Nullable DataSize maxInMemory,
            @DefaultValue Disk disk) {

        boolean isSet() {
            return memory != null || maxInMemory != null || disk.isSet();
        }
    }

    /**
     * The tier on disk.
     *
     * @param folder Folder for larger responses.
     * @param size Space that they may take.
     */
    public record Disk(@Nullable Path folder, @Nullable DataSize size) {

        boolean isSet() {
            return folder != null || size != null;
        }
    }
}
