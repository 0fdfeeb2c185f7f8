package io.stowline.caching.internal;

import io.stowline.caching.CacheKey;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Memory, and the shelf if there is one. A fault of the shelf is counted and is as if nothing were there. Thread-safe. */
final class Tiers {

    private static final int LOCKS = 64;

    private final MemoryTier memory;
    private final @Nullable Shelf shelf;
    private final Stamps stamps;
    private final Watch watch;
    private final Work work;
    private final Object[] locks = new Object[LOCKS];

    Tiers(MemoryTier memory, @Nullable Shelf shelf, Stamps stamps, Watch watch, Work work) {
        this.memory = memory;
        this.shelf = shelf;
        this.stamps = stamps;
        this.watch = watch;
        this.work = work;
        for (int lock = 0; lock < LOCKS; lock++) {
            locks[lock] = new Object();
        }
    }

    MemoryTier memory() {
        return memory;
    }

    @Nullable
    Shelf shelf() {
        return shelf;
    }

    Work work() {
        return work;
    }

    /** What is there, in memory before on the shelf. */
    Mono<Held> find(CacheKey key) {
        return Mono.defer(() -> {
            Held held = memory.find(key);
            return held != null ? Mono.just(held) : findOnShelf(key);
        });
    }

    Mono<Held> findOnShelf(CacheKey key) {
        Shelf disk = shelf;
        return disk == null
                ? Mono.empty()
                : work.call("could not look at its disk", () -> disk.find(key), Held::release);
    }

    /** Keeps what is small enough; what is on the shelf under the same key is out of date. */
    Mono<Void> keep(CacheKey key, Head head, MemoryBody body) {
        memory.put(key, head, body);
        return onShelf(key, head.stamp(), disk -> disk.remove(key));
    }

    /** The answer whose body is kept has another head now. */
    Mono<Void> renew(CacheKey key, Head head, Body body) {
        if (body instanceof MemoryBody content) {
            memory.put(key, head, content);
            return Mono.empty();
        }
        return onShelf(key, head.stamp(), disk -> disk.validated(key, head));
    }

    /** Removes what a load has shown to be out of date. */
    Mono<Void> drop(CacheKey key, Stamp stamp) {
        memory.remove(key, stamp);
        return onShelf(key, stamp, disk -> disk.remove(key));
    }

    private Mono<Void> onShelf(CacheKey key, Stamp stamp, Consumer<Shelf> change) {
        Shelf disk = shelf;
        return disk == null
                ? Mono.empty()
                : work.run(
                        "could not change its disk",
                        () -> ifCurrent(key, stamp, () -> {
                            change.accept(disk);
                            return true;
                        }));
    }

    /** Changes the shelf, unless a later load has taken over; for one key never twice at once. */
    <T> @Nullable T ifCurrent(CacheKey key, Stamp stamp, Supplier<@Nullable T> change) {
        synchronized (locks[Math.floorMod(key.hashCode(), LOCKS)]) {
            return stamps.current(key.resource(), stamp, watch.now()) ? change.get() : null;
        }
    }

    /** Removes what is there of a table or a container, which is no longer given anyway. */
    void removeAll(String prefix) {
        memory.removeAll(prefix);
        Shelf disk = shelf;
        if (disk != null) {
            work.run(
                            "could not change its disk",
                            () -> disk.removeIf(key -> key.resource().startsWith(prefix)))
                    .subscribe();
        }
    }

    void close() {
        memory.close();
        if (shelf != null) {
            shelf.close();
        }
    }
}
