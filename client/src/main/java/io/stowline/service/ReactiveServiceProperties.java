package io.stowline.service;

import io.stowline.outcome.WriteResult;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of {@link ServiceProperties}: the same methods, as {@code Mono}. Nothing is sent before a subscription. Thread-safe.
 */
public interface ReactiveServiceProperties {

    /**
     * Returns the service that has the properties.
     *
     * @return the service
     */
    ServiceType service();

    /**
     * Reads all properties; see {@link ServiceProperties#info}.
     *
     * @return the properties
     */
    Mono<ServiceInfo> info();

    /**
     * Replaces the soft delete of blobs; see {@link ServiceProperties#setSoftDelete}.
     *
     * @param softDelete the time for which deleted blobs are kept
     * @return the outcome
     */
    Mono<WriteResult> setSoftDelete(SoftDelete softDelete);

    /**
     * Replaces the static website; see {@link ServiceProperties#setStaticWebsite}.
     *
     * @param website its pages, or {@link StaticWebsite#off}
     * @return the outcome
     */
    Mono<WriteResult> setStaticWebsite(StaticWebsite website);

    /**
     * Sets the version that the service takes for requests that name none, such as those of browsers; see {@link ServiceProperties#setDefaultVersion}.
     *
     * @param version such as {@code 2021-12-02}
     * @return the outcome
     */
    Mono<WriteResult> setDefaultVersion(String version);

    /**
     * Replaces the logging of Storage Analytics; see {@link ServiceProperties#setLogging}.
     *
     * @param logging the kinds of requests that are logged
     * @return the outcome
     */
    Mono<WriteResult> setLogging(AnalyticsLogging logging);

    /**
     * Replaces the metrics of an hour; see {@link ServiceProperties#setHourMetrics}.
     *
     * @param metrics the metrics
     * @return the outcome
     */
    Mono<WriteResult> setHourMetrics(AnalyticsMetrics metrics);

    /**
     * Replaces the metrics of a minute; see {@link ServiceProperties#setMinuteMetrics}.
     *
     * @param metrics the metrics
     * @return the outcome
     */
    Mono<WriteResult> setMinuteMetrics(AnalyticsMetrics metrics);
}
