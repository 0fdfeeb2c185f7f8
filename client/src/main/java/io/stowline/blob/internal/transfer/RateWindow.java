package io.stowline.blob.internal.transfer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Bytes per second over the last {@link #WINDOW_NANOS}. Keeps the count at the first move of each half second, so that its memory is
 * fixed. Lock-free and thread-safe.
 */
final class RateWindow {

    static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long SLOT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** One for each part of the window, one before it, and one that is written. */
    private static final int SLOTS = (int) (WINDOW_NANOS / SLOT_NANOS) + 2;

    private final AtomicReferenceArray<@Nullable Sample> samples = new AtomicReferenceArray<>(SLOTS);
    private final AtomicLong newest = new AtomicLong();
    private final long start;

    /** The count at a moment, in nanoseconds since the start. */
    private record Sample(long at, long bytes) {}

    /**
     * A rate that begins with no bytes.
     *
     * @param now the clock, in nanoseconds
     */
    RateWindow(long now) {
        this.start = now;
        samples.set(0, new Sample(0, 0));
    }

    /** Notes the count before a move. Called often; it does something once per half second. */
    void note(long now, long bytes) {
        long at = now - start;
        long slot = at / SLOT_NANOS;
        long last = newest.get();
        if (slot > last && newest.compareAndSet(last, slot)) {
            samples.set((int) (slot % SLOTS), new Sample(at, bytes));
        }
    }

    /**
     * Returns the rate in bytes per second.
     *
     * @param bytes the count now
     * @return bytes per second, not negative
     */
    double at(long now, long bytes) {
        long at = now - start;
        long from = Math.max(0, at - WINDOW_NANOS);
        long span = at - from;
        return span <= 0 ? 0 : Math.max(0, (bytes - bytesAt(from, new Sample(at, bytes))) * 1e9 / span);
    }

    /** Interpolated as if the count had grown evenly between two samples. */
    private double bytesAt(long moment, Sample now) {
        Sample before = null;
        Sample after = now;
        for (int i = 0; i < SLOTS; i++) {
            Sample sample = samples.get(i);
            if (sample == null || sample.at > now.at) {
                continue;
            }
            if (sample.at <= moment) {
                before = before == null || sample.at > before.at ? sample : before;
            } else if (sample.at < after.at) {
                after = sample;
            }
        }
        if (before == null || after.at == before.at) {
            return before == null ? after.bytes : before.bytes;
        }
        double share = (double) (moment - before.at) / (after.at - before.at);
        return before.bytes + share * (after.bytes - before.bytes);
    }
}
