package io.stowline.blob.internal.transfer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A bound on the blobs, or blocks of large ones, that one transfer has in flight. Waiters are admitted in FIFO order. Thread-safe. */
public final class TransferSlots {

    private final int max;
    private final Deque<Slot> waiting = new ArrayDeque<>();
    private int free;

    /**
     * Creates the slots of one transfer, all of them free.
     *
     * @param max how many blobs, or blocks, are in flight at a time
     */
    public TransferSlots(int max) {
        this.max = max;
        this.free = max;
    }

    private enum Stage {
        WAITING,
        ADMITTED,
        OVER
    }

    /** The slot of one blob. Its fields belong to the lock. */
    private static final class Slot {

        private final Sinks.Empty<Void> admitted = Sinks.empty();
        private final int weight;
        private Stage stage = Stage.WAITING;

        Slot(int weight) {
            this.weight = weight;
        }
    }

    /**
     * Returns the work, begun once there is room for it.
     *
     * @param weight how many blocks it has in flight; 0 for none at all
     */
    public <T> Mono<T> with(int weight, Mono<T> work) {
        if (weight == 0) {
            return work;
        }
        return Mono.defer(() -> {
            Slot slot = new Slot(Math.min(weight, max));
            enter(slot);
            return slot.admitted.asMono().then(work).doFinally(end -> leave(slot));
        });
    }

    private void enter(Slot slot) {
        synchronized (this) {
            waiting.add(slot);
        }
        admit();
    }

    private void leave(Slot slot) {
        synchronized (this) {
            if (slot.stage == Stage.ADMITTED) {
                free += slot.weight;
            } else {
                waiting.remove(slot);
            }
            slot.stage = Stage.OVER;
        }
        admit();
    }

    private void admit() {
        List<Slot> next = new ArrayList<>();
        synchronized (this) {
            for (Slot first = waiting.peek(); first != null && first.weight <= free; first = waiting.peek()) {
                waiting.remove();
                free -= first.weight;
                first.stage = Stage.ADMITTED;
                next.add(first);
            }
        }
        next.forEach(slot -> slot.admitted.tryEmitEmpty());
    }

    /** Returns the free room. */
    synchronized int free() {
        return free;
    }
}
