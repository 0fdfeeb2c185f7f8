package io.stowline.records.internal.engine;

/** A record in the line of those that wait for room. All its methods are called under the writer's lock. */
abstract class LineWaiter {

    private final byte[] record;
    private final boolean callback;

    /**
     * Makes a waiter.
     *
     * @param callback whether a running callback writes the record
     */
    LineWaiter(byte[] record, boolean callback) {
        this.record = record;
        this.callback = callback;
    }

    byte[] record() {
        return record;
    }

    boolean isCallback() {
        return callback;
    }

    /** Receives the room, which is taken for it. */
    abstract void granted();

    /** Receives the refusal: the writer takes no more records. */
    abstract void refused(RuntimeException refusal);
}
