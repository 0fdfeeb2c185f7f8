package io.stowline.ring.internal.move;

import io.stowline.error.StorageInterruptedException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** {@link MovePause} of this machine. Its time goes on while the machine sleeps, unlike that of the JVM. Thread-safe. */
public final class SystemPause implements MovePause {

    private final long nanos = System.nanoTime();
    private final long millis = System.currentTimeMillis();
    private long latest;

    @Override
    public synchronized long nanos() {
        long wall = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - millis);
        latest = Math.max(latest, Math.max(System.nanoTime() - nanos, wall));
        return latest;
    }

    @Override
    public void await(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageInterruptedException(e);
        }
    }
}
