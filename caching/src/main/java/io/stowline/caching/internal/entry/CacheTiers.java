package io.stowline.caching.internal.entry;

import io.stowline.caching.internal.entry.CacheClock.ClockReading;
import io.stowline.caching.internal.entry.InvalidationLog.InvalidationStamp;
import io.stowline.caching.internal.load.CacheKey;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The tiers of a cache: memory, and the shelf if there is one. A fault of the shelf is counted, and reads as an empty
 * shelf. Thread-safe.
 */
public final class CacheTiers {

    private static final int LOCKS = 64;

    private final MemoryTier memory;
    private final @Nullable OverflowStore shelf;
    private final InvalidationLog stamps;
    private final CacheClock watch;
    private final BlockingWorker work;
    private final Object[] locks = new Object[LOCKS];

    public CacheTiers(
            MemoryTier memory,
            @Nullable OverflowStore shelf,
            InvalidationLog stamps,
            CacheClock watch,
            BlockingWorker work) {
        this.memory = memory;
        this.shelf = shelf;
        this.stamps = stamps;
        this.watch = watch;
        this.work = work;
        for (int lock = 0; lock < LOCKS; lock++) {
            locks[lock] = new Object();
        }
    }

    public ClockReading now() {
        return watch.now();
    }

    public MemoryTier memory() {
        return memory;
    }

    public @Nullable OverflowStore shelf() {
        return shelf;
    }

    public BlockingWorker work() {
        return work;
    }

    /** Returns the entry of a key, from memory or else from the shelf. */
    public Mono<CacheHit> find(CacheKey key) {
        return Mono.defer(() -> {
            CacheHit hit = memory.find(key);
            return hit != null ? Mono.just(hit) : findOnShelf(key);
        });
    }

    public Mono<CacheHit> findOnShelf(CacheKey key) {
        OverflowStore disk = shelf;
        return disk == null
                ? Mono.empty()
                : work.call("could not look at its disk", () -> disk.find(key), CacheHit::release);
    }

    /** Keeps what is small enough; what is on the shelf under the same key is out of date. */
    public Mono<Void> keep(CacheKey key, EntryHead head, MemoryBody body) {
        memory.put(key, head, body);
        return onShelf(key, head.stamp(), disk -> disk.remove(key));
    }

    /** Replaces the head of a cached response. */
    public Mono<Void> renew(CacheKey key, EntryHead head, CachedBody body) {
        if (body instanceof MemoryBody content) {
            memory.put(key, head, content);
            return Mono.empty();
        }
        return onShelf(key, head.stamp(), disk -> disk.validated(key, head));
    }

    /** Removes what a load has shown to be out of date. */
    public Mono<Void> drop(CacheKey key, InvalidationStamp stamp) {
        memory.remove(key, stamp);
        return onShelf(key, stamp, disk -> disk.remove(key));
    }

    private Mono<Void> onShelf(CacheKey key, InvalidationStamp stamp, Consumer<OverflowStore> change) {
        OverflowStore disk = shelf;
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
    public <T> @Nullable T ifCurrent(CacheKey key, InvalidationStamp stamp, Supplier<@Nullable T> change) {
        synchronized (locks[Math.floorMod(key.hashCode(), LOCKS)]) {
            return stamps.current(key.resource(), stamp, watch.now()) ? change.get() : null;
        }
    }

    /** Removes the entries of a table or container, which reads no longer get anyway. */
    public void removeAll(String prefix) {
        memory.removeAll(prefix);
        OverflowStore disk = shelf;
        if (disk != null) {
            work.run(
                            "could not change its disk",
                            () -> disk.removeIf(key -> key.resource().startsWith(prefix)))
                    .subscribe();
        }
    }

    public void close() {
        memory.close();
        if (shelf != null) {
            shelf.close();
        }
    }
}
