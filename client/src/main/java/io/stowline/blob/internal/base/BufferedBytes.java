package io.stowline.blob.internal.base;

import io.stowline.blob.internal.transfer.TransferMemory;

/** Counts content that has arrived already, without a wait for memory. Thread-safe. */
public final class BufferedBytes {

    private final TransferMemory memory;

    public BufferedBytes() {
        this(TransferMemory.ofHeap());
    }

    BufferedBytes(TransferMemory memory) {
        this.memory = memory;
    }

    /**
     * What is held at this moment.
     *
     * @return bytes
     */
    public long now() {
        return memory.now();
    }

    /**
     * The most that was ever held at once.
     *
     * @return bytes
     */
    public long most() {
        return memory.most();
    }

    /** What one transfer holds of the {@link BufferedBytes}; closing it gives back the rest, whatever holds it. Thread-safe. */
    public static final class BufferReservation implements AutoCloseable {

        private final TransferMemory.Share share;

        public BufferReservation(BufferedBytes all) {
            this.share = all.memory.share();
        }

        public void take(long bytes) {
            share.force(bytes);
        }

        public void free(long bytes) {
            share.free(bytes);
        }

        @Override
        public void close() {
            share.close();
        }
    }
}
