package io.stowline.records.internal.engine;

import io.stowline.records.FailedRecords;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of a writer.
 *
 * @param writer what it writes to, for messages and logs
 * @param upTo the most bytes of records in a chunk
 * @param every the interval of a chunk
 * @param linger how long a chunk waits for more records
 * @param bufferRecords the most records that have no end; {@code Long.MAX_VALUE} where only their bytes count
 * @param submitTimeout how long a write waits for room
 * @param deliveryTimeout how long a chunk has from its end, or {@code null} for ever
 * @param closeTimeout how long a close waits
 * @param onFailure the listener of failures, or {@code null}
 */
public record WriterBounds(
        String writer,
        int upTo,
        Duration every,
        Duration linger,
        long bufferRecords,
        Duration submitTimeout,
        @Nullable Duration deliveryTimeout,
        Duration closeTimeout,
        @Nullable Consumer<? super FailedRecords> onFailure) {}
