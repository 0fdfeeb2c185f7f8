package io.stowline.batching;

import java.util.ArrayDeque;
import java.util.List;

/** The entities of one batch, reserved until a time, and what of the batch is sent again then; under the engine's lock. */
final class Hold<K, I, R> {

    final Lane<K, I, R> lane;
    final List<Named> entities;
    final long until;
    final ArrayDeque<Chunk<K, I, R>> chunks = new ArrayDeque<>(0);

    Hold(Lane<K, I, R> lane, List<Named> entities, long until) {
        this.lane = lane;
        this.entities = entities;
        this.until = until;
    }
}
