package io.stowline.service;

/**
 * The metrics of Storage Analytics of an hour or a minute, which the service writes to tables such as
 * {@code $MetricsHourPrimaryTransactionsBlob}. Azure Monitor has replaced them. Immutable.
 *
 * @param enabled whether they are on
 * @param includeApis whether there are figures for each operation
 * @param retentionDays the days for which metrics are kept, 1 to 365; zero if they are not deleted
 */
public record AnalyticsMetrics(boolean enabled, boolean includeApis, int retentionDays) {

    /**
     * Returns metrics that are off.
     *
     * @return the value
     */
    public static AnalyticsMetrics off() {
        return new AnalyticsMetrics(false, false, 0);
    }

    /**
     * Returns metrics of the service and of each operation.
     *
     * @param retentionDays the days for which metrics are kept, 1 to 365; zero if they are not to be deleted
     * @return the value
     */
    public static AnalyticsMetrics all(int retentionDays) {
        return new AnalyticsMetrics(true, true, retentionDays);
    }
}
