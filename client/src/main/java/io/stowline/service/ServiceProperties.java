package io.stowline.service;

import io.stowline.outcome.WriteResult;

/**
 * The properties of a service. Each method that sets one leaves all others as they are; CORS rules are set by {@link Cors}. Thread-safe.
 *
 * <p>All methods wait. A set is repeated after a lost response, since the second one changes nothing more. If no response comes at all, the
 * property is read back: one that is as it was to be makes a result that is {@code RECOVERED}, another one an {@code
 * OutcomeUnknownException}. The service has no condition for its properties: of two clients that set one at the same time the last one
 * wins, and neither learns of the other.
 */
public interface ServiceProperties {

    /**
     * Returns the non-blocking form of these properties.
     *
     * @return the reactive face
     */
    ReactiveServiceProperties reactive();

    /**
     * Returns the service that has the properties.
     *
     * @return the service
     */
    ServiceType service();

    /**
     * Reads all properties.
     *
     * @return the properties
     */
    ServiceInfo info();

    /**
     * Replaces the soft delete of blobs. That of containers is set by Azure Resource Manager only.
     *
     * @param softDelete the time for which deleted blobs are kept
     * @return the outcome, without an ETag
     * @throws IllegalArgumentException if a value is beyond the limit of the service, or this is another service than {@link ServiceType#BLOB}; nothing is sent
     */
    WriteResult setSoftDelete(SoftDelete softDelete);

    /**
     * Replaces the static website.
     *
     * @param website its pages, or {@link StaticWebsite#off}
     * @return the outcome, without an ETag
     * @throws IllegalArgumentException if a value is beyond the limit of the service, or this is another service than {@link ServiceType#BLOB}; nothing is sent
     */
    WriteResult setStaticWebsite(StaticWebsite website);

    /**
     * Sets the version that the service takes for requests that name none, such as those of browsers.
     *
     * @param version such as {@code 2021-12-02}
     * @return the outcome, without an ETag
     * @throws IllegalArgumentException if a value is beyond the limit of the service, or this is another service than {@link ServiceType#BLOB}; nothing is sent
     */
    WriteResult setDefaultVersion(String version);

    /**
     * Replaces the logging of Storage Analytics.
     *
     * @param logging the kinds of requests that are logged
     * @return the outcome, without an ETag
     * @throws IllegalArgumentException if a value is beyond the limit of the service; nothing is sent
     */
    WriteResult setLogging(AnalyticsLogging logging);

    /**
     * Replaces the metrics of an hour.
     *
     * @param metrics the metrics
     * @return the outcome, without an ETag
     * @throws IllegalArgumentException if a value is beyond the limit of the service; nothing is sent
     */
    WriteResult setHourMetrics(AnalyticsMetrics metrics);

    /**
     * Replaces the metrics of a minute.
     *
     * @param metrics the metrics
     * @return the outcome, without an ETag
     * @throws IllegalArgumentException if a value is beyond the limit of the service; nothing is sent
     */
    WriteResult setMinuteMetrics(AnalyticsMetrics metrics);
}
