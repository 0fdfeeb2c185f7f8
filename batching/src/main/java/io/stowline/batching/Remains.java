package io.stowline.batching;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is left of a lane's ended batches: items that are sent again, and reservations; under the engine's lock. */
final class Remains<K, I, R> {

    private final ArrayDeque<Chunk<K, I, R>> chunks = new ArrayDeque<>(0);
    private final Set<Hold<K, I, R>> holds = new LinkedHashSet<>(0);
    private int items;

    /** The number of items that are sent again, now or when a reservation has ended. */
    int items() {
        return items;
    }

    boolean hasHolds() {
        return !holds.isEmpty();
    }

    boolean hasChunks() {
        while (!chunks.isEmpty() && chunks.getFirst().isOver()) {
            chunks.removeFirst();
        }
        return !chunks.isEmpty();
    }

    /** Takes what is sent next; null when there is nothing. */
    @Nullable
    Chunk<K, I, R> poll() {
        if (!hasChunks()) {
            return null;
        }
        Chunk<K, I, R> chunk = chunks.removeFirst();
        chunk.prune();
        items -= chunk.entries().size();
        return chunk;
    }

    /** Puts back what is sent again before all others, at once or when a reservation has ended. */
    void push(Chunk<K, I, R> chunk, @Nullable Hold<K, I, R> hold) {
        items += chunk.entries().size();
        (hold == null ? chunks : hold.chunks).addFirst(chunk);
    }

    /** Notes that one of the items is gone. */
    void remove() {
        items--;
    }

    void add(Hold<K, I, R> hold) {
        holds.add(hold);
    }

    void release(Hold<K, I, R> hold) {
        holds.remove(hold);
        while (!hold.chunks.isEmpty()) {
            chunks.addFirst(hold.chunks.removeLast());
        }
    }

    void forEach(Consumer<? super Entry<K, I, R>> action) {
        chunks.forEach(chunk -> chunk.entries().forEach(action));
        holds.forEach(hold -> hold.chunks.forEach(chunk -> chunk.entries().forEach(action)));
    }
}
