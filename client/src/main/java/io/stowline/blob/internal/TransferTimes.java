package io.stowline.blob.internal;

import io.stowline.retry.RetrySettings;
import java.time.Duration;

/**
 * The time of a request with content: what the settings give to any request, and a second for every 256 KiB, as a slow line needs it;
 * at most the deadline. The service itself would allow ten minutes for a MiB that is written and two for one that is read.
 */
final class TransferTimes {

    private static final int BYTES_PER_SECOND = 256 * 1024;

    private TransferTimes() {}

    static RetrySettings of(RetrySettings settings, long bytes) {
        Duration needed = settings.serverTimeout().plusSeconds(bytes / BYTES_PER_SECOND);
        Duration most = settings.deadline();
        Duration time = needed.compareTo(most) < 0 ? needed : most;
        return time.compareTo(settings.serverTimeout()) > 0
                ? settings.toBuilder().serverTimeout(time).build()
                : settings;
    }
}
