package io.stowline.benchmarks.side.bare;

import io.stowline.benchmarks.side.work.Latencies;
import io.stowline.benchmarks.side.work.Task;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One round over all connections of a hand-made client. All but {@link #await} is called on the event loop. */
final class BareRound {

    private final long end;
    private final CountDownLatch busy;
    private final Latencies latencies = new Latencies();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private long items;

    BareRound(int connections, long end) {
        this.busy = new CountDownLatch(connections);
        this.end = end;
    }

    boolean isOver() {
        return System.nanoTime() >= end;
    }

    void add(int more, long nanos) {
        items += more;
        latencies.add(nanos);
    }

    void ended() {
        busy.countDown();
    }

    void failed(Throwable cause) {
        failure.compareAndSet(null, cause);
        while (busy.getCount() > 0) {
            busy.countDown();
        }
    }

    Task.Done await() throws InterruptedException {
        busy.await();
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("the bare client failed: " + failed.getMessage(), failed);
        }
        return Task.Done.of(items, latencies.done().medianMicros());
    }
}
