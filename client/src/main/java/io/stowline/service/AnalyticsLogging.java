package io.stowline.service;

import io.stowline.error.internal.PrintableText;
import java.util.Objects;

/**
 * The logging of Storage Analytics: the kinds of requests that the service logs to the container {@code $logs}. Immutable.
 *
 * @param version the version of the log's format, {@code 1.0} or {@code 2.0}
 * @param reads whether reads are logged
 * @param writes whether writes are logged
 * @param deletes whether deletes are logged
 * @param retentionDays the days for which logs are kept, 1 to 365; zero if they are not deleted
 */
public record AnalyticsLogging(String version, boolean reads, boolean writes, boolean deletes, int retentionDays) {

    /**
     * Checks that there is a version.
     *
     * @param version the version of the log's format
     * @param reads whether reads are logged
     * @param writes whether writes are logged
     * @param deletes whether deletes are logged
     * @param retentionDays the days for which logs are kept, or zero
     */
    public AnalyticsLogging {
        Objects.requireNonNull(version, "version");
    }

    /**
     * Returns a logging of nothing.
     *
     * @return the value
     */
    public static AnalyticsLogging off() {
        return new AnalyticsLogging("1.0", false, false, false, 0);
    }

    /**
     * Returns a logging of all requests.
     *
     * @param retentionDays the days for which logs are kept, 1 to 365; zero if they are not to be deleted
     * @return the value
     */
    public static AnalyticsLogging all(int retentionDays) {
        return new AnalyticsLogging("1.0", true, true, true, retentionDays);
    }

    @Override
    public String toString() {
        return PrintableText.of("AnalyticsLogging[version=" + version + ", reads=" + reads + ", writes=" + writes
                + ", deletes=" + deletes + ", retentionDays=" + retentionDays + "]");
    }
}
