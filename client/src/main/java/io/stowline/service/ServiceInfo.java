package io.stowline.service;

import io.stowline.error.internal.PrintableText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a service as it gives them. Immutable.
 *
 * @param corsRules the CORS rules; an empty list if CORS is off
 * @param logging the logging of Storage Analytics, or {@code null} if the service has none
 * @param hourMetrics the metrics of an hour, or {@code null} if the service has none
 * @param minuteMetrics the metrics of a minute, or {@code null} if the service has none
 * @param defaultVersion the version of requests that name none, or {@code null} if it is not set; of blobs only
 * @param softDelete the soft delete of blobs, or {@code null} for another service
 * @param staticWebsite the static website, or {@code null} for another service
 */
public record ServiceInfo(
        List<CorsRule> corsRules,
        @Nullable AnalyticsLogging logging,
        @Nullable AnalyticsMetrics hourMetrics,
        @Nullable AnalyticsMetrics minuteMetrics,
        @Nullable String defaultVersion,
        @Nullable SoftDelete softDelete,
        @Nullable StaticWebsite staticWebsite) {

    /**
     * Copies the rules.
     *
     * @param corsRules the CORS rules
     * @param logging the logging, or {@code null}
     * @param hourMetrics the metrics of an hour, or {@code null}
     * @param minuteMetrics the metrics of a minute, or {@code null}
     * @param defaultVersion the version of requests that name none, or {@code null}
     * @param softDelete the soft delete of blobs, or {@code null}
     * @param staticWebsite the static website, or {@code null}
     */
    public ServiceInfo {
        corsRules = List.copyOf(corsRules);
    }

    @Override
    public String toString() {
        return PrintableText.of("ServiceInfo[corsRules=" + corsRules + ", logging=" + logging + ", hourMetrics="
                + hourMetrics + ", minuteMetrics=" + minuteMetrics + ", defaultVersion=" + defaultVersion
                + ", softDelete=" + softDelete + ", staticWebsite=" + staticWebsite + "]");
    }
}
