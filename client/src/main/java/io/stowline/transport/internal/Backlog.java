package io.stowline.transport.internal;

import java.util.function.LongSupplier;

/** What the open writers to a service hold; nothing where there are no writers. Thread-safe. */
public final class Backlog {

    private volatile LongSupplier items = () -> 0;
    private volatile LongSupplier bytes = () -> 0;
    private volatile LongSupplier paused = () -> 0;

    /** Of a service without writers. */
    Backlog() {}

    /**
     * Says where it can be read.
     *
     * @param itemsHeld how many operations the writers hold
     * @param bytesHeld how many bytes these take
     * @param writersPaused how many of the writers send nothing at present
     */
    public void readFrom(LongSupplier itemsHeld, LongSupplier bytesHeld, LongSupplier writersPaused) {
        paused = writersPaused;
        items = itemsHeld;
        bytes = bytesHeld;
    }

    long items() {
        return items.getAsLong();
    }

    long bytes() {
        return bytes.getAsLong();
    }

    long paused() {
        return paused.getAsLong();
    }
}
