package io.stowline.blob.internal;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the content that transfers of one client hold in memory. Thread-safe. */
public final class BufferedBytes {

    private final AtomicLong now = new AtomicLong();
    private final AtomicLong most = new AtomicLong();

    void take(long bytes) {
        long held = now.addAndGet(bytes);
        most.accumulateAndGet(held, Math::max);
    }

    void free(long bytes) {
        now.addAndGet(-bytes);
    }

    /**
     * What is held at this moment.
     *
     * @return bytes
     */
    public long now() {
        return now.get();
    }

    /**
     * The most that was ever held at once.
     *
     * @return bytes
     */
    public long most() {
        return most.get();
    }
}
