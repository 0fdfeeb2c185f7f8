package io.stowline.batching;

import org.jspecify.annotations.Nullable;

/** The lanes that are ready to send, in turn; under the engine's lock. */
final class ReadyQueue<K, I, R> {

    private @Nullable Lane<K, I, R> first;
    private @Nullable Lane<K, I, R> last;
    private int size;

    int size() {
        return size;
    }

    /** Adds a lane as the last one, unless it has its place. */
    void add(Lane<K, I, R> lane) {
        if (lane.ready) {
            return;
        }
        lane.ready = true;
        lane.prevReady = last;
        if (last == null) {
            first = lane;
        } else {
            last.nextReady = lane;
        }
        last = lane;
        size++;
    }

    void remove(Lane<K, I, R> lane) {
        if (!lane.ready) {
            return;
        }
        lane.ready = false;
        if (lane.prevReady == null) {
            first = lane.nextReady;
        } else {
            lane.prevReady.nextReady = lane.nextReady;
        }
        if (lane.nextReady == null) {
            last = lane.prevReady;
        } else {
            lane.nextReady.prevReady = lane.prevReady;
        }
        lane.prevReady = null;
        lane.nextReady = null;
        size--;
    }

    /** Takes the lane whose turn it is. */
    @Nullable
    Lane<K, I, R> poll() {
        Lane<K, I, R> lane = first;
        if (lane != null) {
            remove(lane);
        }
        return lane;
    }
}
