package io.stowline.testkit.internal.proxy;

import io.stowline.testkit.internal.proxy.record.Waiter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** A time that passes by being waited for. */
public final class SkippingWaiter implements Waiter {

    private final AtomicLong now = new AtomicLong();

    @Override
    public long nanoTime() {
        return now.get();
    }

    @Override
    public boolean await(CountDownLatch gate, long nanos) {
        if (gate.getCount() > 0) {
            now.addAndGet(Math.max(0, nanos));
        }
        return gate.getCount() == 0;
    }

    public long waitedMillis() {
        return now.get() / 1_000_000;
    }
}
