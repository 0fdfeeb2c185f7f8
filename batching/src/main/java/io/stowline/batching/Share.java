package io.stowline.batching;

import org.jspecify.annotations.Nullable;

/** What one writer holds in one lane; guarded by the engine's lock. */
final class Share<K, I, R> {

    final Lane<K, I, R> lane;
    final Batcher<K, I, R> batcher;

    @Nullable
    Share<K, I, R> next;

    int waiting;

    /** The pass over the waiters in which one of this lane had to stay: those behind it stay too. */
    long passed;

    private int items;
    private long bytes;

    Share(Lane<K, I, R> lane, Batcher<K, I, R> batcher) {
        this.lane = lane;
        this.batcher = batcher;
    }

    boolean fits(int size) {
        Room<K, I, R> room = batcher.room();
        return items < room.laneItems && bytes + size <= room.laneBytes;
    }

    /** Counts one more item; when it is merged into another one it takes what that one grows by. */
    void add(int size) {
        items++;
        bytes += size;
        batcher.room().add(1, size);
    }

    void release(int count, int size) {
        items -= count;
        bytes -= size;
        batcher.room().add(-count, -size);
        if (items == 0 && waiting == 0) {
            lane.forget(this);
        }
    }

    boolean isEmpty() {
        return items == 0 && waiting == 0;
    }
}
