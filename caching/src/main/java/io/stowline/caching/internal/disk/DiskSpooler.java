package io.stowline.caching.internal.disk;

import io.stowline.caching.internal.entry.BodyCollector;
import io.stowline.caching.internal.entry.CacheHit;
import io.stowline.caching.internal.entry.CacheTiers;
import io.stowline.caching.internal.entry.EntryHead;
import io.stowline.caching.internal.entry.MemoryBody;
import io.stowline.caching.internal.entry.OverflowStore;
import io.stowline.caching.internal.entry.OverflowStore.StoreFault;
import io.stowline.caching.internal.entry.SignalledErrors;
import io.stowline.caching.internal.load.CacheKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** A body on its way to the shelf, a buffer at a time. Thread-safe. */
public final class DiskSpooler {

    private final CacheKey key;
    private final EntryHead head;
    private final OverflowStore shelf;
    private final CacheTiers tiers;
    private final ByteArrayOutputStream small = new ByteArrayOutputStream();
    private long length;
    private OverflowStore.@Nullable Writing writing;
    private @Nullable CacheHit stored;
    private boolean over;

    /** A body that turned out to fit into memory, unless it is stored. */
    public record Filled(MemoryBody small, @Nullable CacheHit stored) {}

    public DiskSpooler(CacheKey key, EntryHead head, OverflowStore shelf, CacheTiers tiers) {
        this.key = key;
        this.head = head;
        this.shelf = shelf;
        this.tiers = tiers;
    }

    /**
     * Takes the whole body, and once.
     *
     * @param expected how long it is, -1 if that is not known
     * @param room how much of it may stay in memory if there is no more
     * @return what has become of it; empty if a later load has taken over, or if the shelf takes nothing and the body was left alone; a later
     *     failure of the shelf is a {@link StoreFault}
     */
    public Mono<Filled> fill(Flux<ByteBuffer> body, long expected, long room) {
        Scheduler scheduler = tiers.work().scheduler();
        Mono<Filled> filled = body.publishOn(scheduler, 1)
                .doOnNext(buffer -> take(buffer, room))
                .then(Mono.fromCallable(() -> finish(expected)))
                .doOnNext(this::handOver)
                .doOnError(failure -> abandon());
        return (expected > room ? begin().flatMap(begun -> new SignalledErrors<>(() -> filled)) : filled)
                .doOnCancel(() -> scheduler.schedule(this::abandon));
    }

    /** Runs before the body is taken, which can be handed through if the disk cannot be written. */
    private Mono<Boolean> begin() {
        return tiers.work().call("could not write to its disk", this::begun, begun -> {});
    }

    private synchronized @Nullable Boolean begun() {
        if (over) {
            return null;
        }
        try {
            opened();
            return true;
        } catch (IOException e) {
            abandon();
            throw new StoreFault(e);
        }
    }

    private synchronized void take(ByteBuffer buffer, long room) {
        length += buffer.remaining();
        try {
            if (!over && length <= room) {
                BodyCollector.add(small, buffer);
            } else if (!over) {
                opened().write(buffer);
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            throw new StoreFault(e);
        }
    }

    private OverflowStore.Writing opened() throws IOException {
        if (writing == null) {
            writing = shelf.begin(key, head);
            if (small.size() > 0) {
                writing.write(ByteBuffer.wrap(small.toByteArray()));
            }
        }
        return writing;
    }

    private synchronized @Nullable Filled finish(long expected) throws IOException {
        if (expected >= 0 && length != expected) {
            throw BodyCollector.cut(length, expected);
        }
        if (over || (writing == null && expected < 0)) {
            return over ? null : new Filled(new MemoryBody(small.toByteArray()), null);
        }
        stored = tiers.ifCurrent(key, head.stamp(), this::commit);
        if (stored == null) {
            abandon();
            return null;
        }
        return new Filled(new MemoryBody(new byte[0]), stored);
    }

    private CacheHit commit() {
        try {
            return opened().commit();
        } catch (IOException | RuntimeException | LinkageError e) {
            throw new StoreFault(e);
        }
    }

    private synchronized void handOver(Filled filled) {
        over = true;
    }

    /** Deletes all that was written, unless it was handed over. */
    private synchronized void abandon() {
        if (over) {
            return;
        }
        over = true;
        if (stored != null) {
            stored.release();
        } else if (writing != null) {
            writing.abort();
        }
    }
}
