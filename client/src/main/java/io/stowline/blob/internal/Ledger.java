package io.stowline.blob.internal;

/** What one transfer holds of the {@link BufferedBytes}; closing it gives back the rest, whoever held it. Thread-safe. */
final class Ledger implements AutoCloseable {

    private final BufferedBytes all;
    private long held;
    private boolean closed;

    Ledger(BufferedBytes all) {
        this.all = all;
    }

    synchronized void take(long bytes) {
        if (!closed) {
            held += bytes;
            all.take(bytes);
        }
    }

    synchronized void free(long bytes) {
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
