package io.stowline.blob.internal.range;

import io.stowline.blob.BlobTagFilter;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.internal.base.BlobContext;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a read: the bytes of a blob, and the ranges.
 *
 * @param from the first byte
 * @param max the most bytes
 * @param rangeSize the bytes of a range
 * @param depth the number of ranges in flight
 * @param ifMatch the only version to read, or {@code null} for the present one
 * @param ifTags the condition on the blob's tags, in the service's language, or {@code null}
 */
public record ReadPlan(
        long from,
        long max,
        int rangeSize,
        int depth,
        @Nullable String ifMatch,
        @Nullable String ifTags) {

    /** Kept even with a small heap. */
    private static final int SMALLEST = 256 << 10;

    /** The ranges that fit into the memory of all transfers. */
    private static final int SHARES = 16;

    public static ReadPlan of(BlobContext context, DownloadSettings settings) {
        return new ReadPlan(
                settings.from(),
                settings.length(),
                rangeSize(context.service().memory().capacity(), settings),
                settings.parallelism(),
                settings.ifMatch().orElse(null),
                settings.ifTags().map(BlobTagFilter::expression).orElse(null));
    }

    private static int rangeSize(long capacity, DownloadSettings settings) {
        long fair = Math.max(SMALLEST, capacity / SHARES & -(1L << 16));
        return (int) Math.min(settings.rangeSize(), fair);
    }

    public boolean isComplete() {
        return from == 0 && max == Long.MAX_VALUE;
    }

    /** Returns the bytes of the first range. */
    public int first() {
        return (int) Math.min(rangeSize, max);
    }

    /** Returns the end of the read in a blob of this size. */
    public long end(long size) {
        return max > size - from ? size : from + max;
    }
}
