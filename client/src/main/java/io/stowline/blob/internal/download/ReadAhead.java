package io.stowline.blob.internal.download;

import io.stowline.blob.internal.transfer.TransferMemory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Reads a part of a blob in its order, some ranges ahead of a reader who decides how fast it goes. What is ahead is dropped when other
 * transfers wait for memory, and requested again later. The piece that the reader needs next is read even without memory, as a small one
 * that does not count: readers whose bytes go into other transfers never wait for each other (TRANSFER-3).
 *
 * <p>One reader at a time; giving up and closing come from any thread.
 */
final class ReadAhead implements AutoCloseable {

    /** What every reader may have, whatever others hold. */
    static final int UNCOUNTED = 256 << 10;

    private final RangeReader reader;
    private final PinnedVersion version;
    private final TransferMemory.Share share;
    private final ContextView context;
    private final Deque<Ahead> window = new ArrayDeque<>();
    private final int depth;
    private final int largest;
    private final long end;
    private int size;
    private long next;
    private @Nullable Ahead wanted;
    private long held;
    private boolean closed;

    /**
     * A reader of what lies between two offsets.
     *
     * @param reader reads the ranges
     * @param share counts them; its {@code giveUp} calls {@link #giveUp}
     * @param part what to read, and how
     * @param context the Reactor context of the requests
     */
    ReadAhead(RangeReader reader, PinnedVersion version, TransferMemory.Share share, Part part, ContextView context) {
        this.reader = reader;
        this.version = version;
        this.share = share;
        this.context = context;
        this.next = part.from;
        this.end = part.end;
        this.size = part.smallest;
        this.largest = part.largest;
        this.depth = part.depth;
    }

    /**
     * What is read, and how.
     *
     * @param from where it begins
     * @param end where it ends
     * @param smallest the bytes of the first range
     * @param largest the bytes of a range, to which they double
     * @param depth how many ranges may be in flight
     */
    record Part(long from, long end, int smallest, int largest, int depth) {}

    /** How a range ended. */
    private record Ended(
            @Nullable BlobPiece arrived, @Nullable Throwable error) {

        Mono<BlobPiece> piece() {
            return error == null ? Mono.justOrEmpty(arrived) : Mono.error(error);
        }
    }

    /** A range that was requested before the reader came to it. */
    private final class Ahead {

        private final long offset;
        private final int count;
        private final CompletableFuture<BlobPiece> piece = new CompletableFuture<>();
        private final Disposable.Swap running = Disposables.swap();
        private long counted;

        Ahead(long offset, int count, long counted) {
            this.offset = offset;
            this.count = count;
            this.counted = counted;
        }

        void start() {
            running.update(
                    reader.read(offset, count, version).contextWrite(context).subscribe(this::arrived, this::failed));
        }

        private void arrived(BlobPiece whole) {
            share.free(take(RangeReader.DIRECT));
            piece.complete(whole);
        }

        private void failed(Throwable error) {
            drop();
            piece.completeExceptionally(error);
        }

        /** What is counted of it becomes the business of who calls this. */
        synchronized long take(long most) {
            long taken = Math.min(counted, most);
            counted -= taken;
            return taken;
        }

        void drop() {
            running.dispose();
            share.free(take(Long.MAX_VALUE));
        }
    }

    /**
     * The next piece; the one before is done with.
     *
     * @return the piece, or nothing at the end; an {@link IllegalStateException} once it is closed
     */
    Mono<BlobPiece> next() {
        return Mono.defer(() -> {
            List<Ahead> begun = new ArrayList<>(depth);
            Ahead head;
            free();
            synchronized (this) {
                if (closed) {
                    return Mono.error(closedInBetween());
                }
                head = window.poll();
                if (head == null && next < end) {
                    head = begin(true);
                    begun.add(head);
                }
                if (head == null) {
                    return Mono.empty();
                }
                wanted = head;
                for (Ahead one = ahead(); one != null; one = ahead()) {
                    window.add(one);
                    begun.add(one);
                }
            }
            begun.forEach(Ahead::start);
            Ahead awaited = head;
            // As a value: an error that comes after a cancel would be logged as dropped.
            return Mono.fromFuture(awaited.piece.handle(Ended::new), true)
                    .flatMap(Ended::piece)
                    .doOnNext(piece -> handedOut(awaited))
                    .doOnError(error -> again(awaited));
        });
    }

    private @Nullable Ahead ahead() {
        return window.size() + 1 < depth && next < end ? begin(false) : null;
    }

    private @Nullable Ahead begin(boolean needed) {
        int count = (int) Math.min(size, end - next);
        long taken = (long) count + RangeReader.DIRECT;
        if (!share.tryTake(taken)) {
            if (!needed) {
                return null;
            }
            count = Math.min(count, UNCOUNTED);
            taken = 0;
        }
        Ahead one = new Ahead(next, count, taken);
        next += count;
        size = Math.min(largest, 2 * size);
        return one;
    }

    /** The reader has bytes already, which are counted. */
    synchronized void hold(long bytes) {
        held = bytes;
    }

    private synchronized void handedOut(Ahead head) {
        wanted = null;
        held = head.take(Long.MAX_VALUE);
    }

    /** What the reader holds is free before it has the next piece. */
    void free() {
        long done;
        synchronized (this) {
            done = held;
            held = 0;
        }
        share.free(done);
    }

    /** A reader that goes on after an error begins where it was. */
    private void again(Ahead failed) {
        synchronized (this) {
            wanted = null;
        }
        giveUp();
        synchronized (this) {
            next = failed.offset;
        }
    }

    /** Drops what the reader has not come to. */
    void giveUp() {
        List<Ahead> dropped;
        synchronized (this) {
            dropped = new ArrayList<>(window);
            window.clear();
            if (!dropped.isEmpty()) {
                next = dropped.get(0).offset;
            }
        }
        dropped.forEach(Ahead::drop);
    }

    private static IllegalStateException closedInBetween() {
        return new IllegalStateException("the content was closed while it was read");
    }

    /** Ends what is in flight and frees all. */
    @Override
    public void close() {
        Ahead awaited;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            awaited = wanted;
        }
        giveUp();
        if (awaited != null) {
            awaited.drop();
            awaited.piece.completeExceptionally(closedInBetween());
        }
        share.close();
    }
}
