package io.stowline.caching.internal;

import io.stowline.caching.CacheKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** A body on its way to the shelf, a buffer at a time. Thread-safe. */
final class Spool {

    private final CacheKey key;
    private final Head head;
    private final Shelf shelf;
    private final Tiers tiers;
    private final ByteArrayOutputStream small = new ByteArrayOutputStream();
    private long length;
    private Shelf.@Nullable Writing writing;
    private @Nullable Held stored;
    private boolean over;

    /** A body that turned out to fit into memory, unless it is stored. */
    record Filled(MemoryBody small, @Nullable Held stored) {}

    Spool(CacheKey key, Head head, Shelf shelf, Tiers tiers) {
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
     * @return what has become of it; empty if a later load has taken over; a failure of the shelf is a {@link ShelfFault}
     */
    Mono<Filled> fill(Flux<ByteBuffer> body, long expected, long room) {
        Scheduler scheduler = tiers.work().scheduler();
        return body.publishOn(scheduler, 1)
                .doOnNext(buffer -> take(buffer, room))
                .then(Mono.fromCallable(() -> finish(expected)))
                .doOnNext(this::handOver)
                .doOnError(failure -> abandon())
                .doOnCancel(() -> scheduler.schedule(this::abandon));
    }

    private synchronized void take(ByteBuffer buffer, long room) {
        length += buffer.remaining();
        try {
            if (!over && length <= room) {
                Gathered.add(small, buffer);
            } else if (!over) {
                opened().write(buffer);
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            throw new ShelfFault(e);
        }
    }

    private Shelf.Writing opened() throws IOException {
        if (writing == null) {
            writing = shelf.begin(key, head);
            writing.write(ByteBuffer.wrap(small.toByteArray()));
        }
        return writing;
    }

    private synchronized @Nullable Filled finish(long expected) throws IOException {
        if (expected >= 0 && length != expected) {
            throw Gathered.cut(length, expected);
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

    private Held commit() {
        try {
            return opened().commit();
        } catch (IOException | RuntimeException | LinkageError e) {
            throw new ShelfFault(e);
        }
    }

    private synchronized void handOver(Filled filled) {
        over = true;
    }

    /** Nothing of it stays, unless it was handed over. */
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
