package io.stowline.table.internal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row as it was read.
 *
 * @param value the value of the row
 * @param etag its ETag, where the answer held it
 * @param timestamp the service's time stamp, where it was asked for
 * @param <T> the type of the value
 */
public record Row<T>(
        T value, @Nullable String etag, @Nullable Instant timestamp) {}
