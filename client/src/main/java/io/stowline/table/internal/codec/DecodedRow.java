package io.stowline.table.internal.codec;

import io.stowline.transport.ReadOrigin;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row as it was read.
 *
 * @param value the value of the row
 * @param etag its ETag, where the answer held it
 * @param timestamp the service's time stamp, where it was asked for
 * @param origin which of the account's places gave it
 * @param <T> the type of the value
 */
public record DecodedRow<T>(
        T value, @Nullable String etag, @Nullable Instant timestamp, ReadOrigin origin) {

    /**
     * A row of the primary.
     *
     * @param value the value of the row
     * @param etag its ETag, where the answer held it
     * @param timestamp the service's time stamp, where it was asked for
     */
    public DecodedRow(T value, @Nullable String etag, @Nullable Instant timestamp) {
        this(value, etag, timestamp, ReadOrigin.primary());
    }

    /** The same row of the place that gave the answer; mostly itself. */
    public DecodedRow<T> from(ReadOrigin place) {
        return place.secondary() ? new DecodedRow<>(value, etag, timestamp, place) : this;
    }
}
