package io.stowline.testkit.internal.proxy;

import io.stowline.testkit.internal.proxy.record.Waiter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A writer at the pace that a bandwidth allows: in slices of about a twentieth of a second. */
record BandwidthLimiter(Waiter waiter) {

    private static final int SLICES_PER_SECOND = 20;
    private static final int MAX_SLICE = 1 << 16;
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    static long nanos(long bytes, long bytesPerSecond) {
        return (long) (bytes * (double) TimeUnit.SECONDS.toNanos(1) / bytesPerSecond);
    }

    void write(byte[] bytes, long bytesPerSecond, OutputStream out) throws IOException, InterruptedException {
        if (bytesPerSecond == Long.MAX_VALUE) {
            out.write(bytes);
            return;
        }
        int slice = (int) Math.max(1, Math.min(MAX_SLICE, bytesPerSecond / SLICES_PER_SECOND));
        for (int from = 0; from < bytes.length; from += slice) {
            int length = Math.min(slice, bytes.length - from);
            waiter.await(NEVER, nanos(length, bytesPerSecond));
            out.write(bytes, from, length);
        }
    }
}
