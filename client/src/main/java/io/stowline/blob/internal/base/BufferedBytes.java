package io.stowline.blob.internal.base;

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

    /** What one transfer holds of the {@link BufferedBytes}; closing it gives back the rest, whatever holds it. Thread-safe. */
    public static final class BufferReservation implements AutoCloseable {

        private final BufferedBytes all;
        private long held;
        private boolean closed;

        public BufferReservation(BufferedBytes all) {
            this.all = all;
        }

        public synchronized void take(long bytes) {
            if (!closed) {
                held += bytes;
                all.take(bytes);
            }
        }

        public synchronized void free(long bytes) {
            if (!closed) {
                held -= bytes;
                all.free(bytes);
            }
        }

        @Override
        public synchronized void close() {
            if (!closed) {
                closed = true;
                all.free(held);
            }
        }
    }
}
