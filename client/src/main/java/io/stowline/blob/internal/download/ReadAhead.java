package io.stowline.blob.internal.download;

import io.stowline.blob.internal.transfer.TransferMemory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Reads a part of a blob in its order, some ranges ahead of a reader who decides how fast it goes. What the reader has not taken yet is
 * dropped when other transfers wait for memory, and requested again later, but for a small piece that does not count: readers that pause
 * keep no transfer from its memory, and readers whose bytes go into other transfers never wait for each other (TRANSFER-3). That piece is
 * dropped, too, when many readers pause; a reader that waits for it has it in peace until it has taken something of it.
 *
 * <p>One reader at a time; giving up and closing come from any thread.
 */
final class ReadAhead implements AutoCloseable {

    /** What every reader may have, whatever others hold. */
    static final int UNCOUNTED = 256 << 10;

    /** What a reader requests beside the memory once it has lost a piece. */
    private static final int LESS = 64 << 10;

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
    private long position;
    private @Nullable Ahead head;
    private int uncounted = UNCOUNTED;
    private boolean awaited = true;
    private boolean keeps;
    private boolean closed;

    /**
     * A reader of what lies between two offsets.
     *
     * @param reader reads the ranges
     * @param share counts them; its {@code giveUp} calls {@link #giveUp}, and its {@code letGo} calls {@link #letGo}
     * @param part what to read, and how
     * @param context the Reactor context of the requests
     */
    ReadAhead(RangeReader reader, PinnedVersion version, TransferMemory.Share share, Part part, ContextView context) {
        this.reader = reader;
        this.version = version;
        this.share = share;
        this.context = context;
        this.next = part.from;
        this.position = part.from;
        this.end = part.end;
        this.size = part.smallest;
        this.largest = part.largest;
        this.depth = part.depth;
    }

    /**
     * A reader of a blob whose first range is there.
     *
     * @param share counts that range, and nothing else
     */
    static ReadAhead begun(
            RangeReader reader, BlobPiece first, TransferMemory.Share share, Part part, ContextView context) {
        ReadAhead begun = new ReadAhead(reader, first.version(), share, part, context);
        begun.begin(first);
        return begun;
    }

    private synchronized void begin(BlobPiece first) {
        Ahead there = new Ahead(first.offset(), first.bytes().length, share.held());
        there.content = first;
        next = there.end;
        head = there;
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

    /** A range that was requested before the reader came to it. */
    private final class Ahead {

        private final long offset;
        private final CompletableFuture<Optional<Throwable>> arrival = new CompletableFuture<>();
        private final Disposable.Swap running = Disposables.swap();
        private @Nullable BlobPiece content;
        private long end;
        private long counted;

        Ahead(long offset, int count, long counted) {
            this.offset = offset;
            this.end = offset + count;
            this.counted = counted;
        }

        void start() {
            running.update(reader.read(offset, (int) (end - offset), version)
                    .contextWrite(context)
                    .subscribe(this::arrived, this::failed));
        }

        private void arrived(BlobPiece whole) {
            synchronized (ReadAhead.this) {
                content = whole;
            }
            share.free(take(RangeReader.DIRECT));
            arrival.complete(Optional.empty());
            // A transfer that began to wait before this could not get it.
            if (share.othersWait()) {
                giveUp();
            }
        }

        private void failed(Throwable error) {
            drop();
            arrival.complete(Optional.of(error));
        }

        BlobPiece piece() {
            return Objects.requireNonNull(content, "the range has not arrived");
        }

        /** What is counted of it becomes the business of who calls this. */
        synchronized long take(long most) {
            long taken = Math.min(counted, most);
            counted -= taken;
            return taken;
        }

        synchronized boolean counts() {
            return counted > 0;
        }

        /** Keeps the small piece from there on that does not count; what is free then, to be called under the reader's lock. */
        long shrink(long from) {
            BlobPiece whole = content;
            if (whole == null) {
                return 0;
            }
            long free = take(Long.MAX_VALUE);
            if (free > 0) {
                end = Math.min(end, from + UNCOUNTED);
                content = whole.part(from, (int) (end - from));
            }
            return free;
        }

        void drop() {
            running.dispose();
            share.free(take(Long.MAX_VALUE));
        }
    }

    /**
     * Waits for bytes at the position.
     *
     * @return true once they are there, false at the end; an {@link IllegalStateException} once it is closed
     */
    Mono<Boolean> ready() {
        return Mono.defer(() -> {
            free();
            List<Ahead> begun = new ArrayList<>(depth);
            Ahead wanted;
            synchronized (this) {
                if (closed) {
                    return Mono.error(closedInBetween());
                }
                awaited = true;
                wanted = head == null ? window.poll() : head;
                if (wanted == null && next < end) {
                    wanted = begin(true);
                    begun.add(wanted);
                }
                head = wanted;
                if (wanted == null) {
                    return Mono.just(false);
                }
                for (Ahead one = ahead(); one != null; one = ahead()) {
                    window.add(one);
                    begun.add(one);
                }
                if (wanted.content != null) {
                    begun.forEach(Ahead::start);
                    return Mono.just(true);
                }
            }
            begun.forEach(Ahead::start);
            Ahead awaited = wanted;
            // As a value: an error that comes after a cancel would be logged as dropped.
            return Mono.fromFuture(awaited.arrival, true)
                    .flatMap(error -> error.<Mono<Boolean>>map(Mono::error).orElse(Mono.just(true)))
                    .doOnError(error -> again());
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
            count = Math.min(count, uncounted);
            taken = 0;
        }
        Ahead one = new Ahead(next, count, taken);
        next += count;
        size = Math.min(largest, 2 * size);
        return one;
    }

    /**
     * Takes bytes that are there.
     *
     * @return how many, 0 if {@link #ready} has to be waited for
     */
    int read(byte[] target, int offset, int length) {
        int count;
        List<Runnable> drops;
        synchronized (this) {
            Ahead present = arrived();
            if (present == null) {
                return 0;
            }
            BlobPiece content = present.piece();
            count = (int) Math.min(length, present.end - position);
            System.arraycopy(content.bytes(), (int) (position - content.offset()), target, offset, count);
            position += count;
            drops = pausing();
        }
        drops.forEach(Runnable::run);
        return count;
    }

    /** The reader has bytes that it does not take at once. */
    void pause() {
        List<Runnable> drops;
        synchronized (this) {
            drops = pausing();
        }
        drops.forEach(Runnable::run);
    }

    /** The reader has what it waited for, so that the rest may be dropped; what others drop for it, to be run without a lock. */
    private List<Runnable> pausing() {
        awaited = false;
        Ahead present = arrived();
        if (keeps || present == null || present.counts() || position == present.end) {
            return List.of();
        }
        keeps = true;
        return share.keep(present.piece().bytes().length);
    }

    private void unkeep() {
        if (keeps) {
            keeps = false;
            share.unkeep();
        }
    }

    /** Drops the piece in hand, which is requested again when the reader goes on. */
    void letGo() {
        List<Ahead> dropped;
        synchronized (this) {
            keeps = false;
            Ahead present = arrived();
            if (awaited || present == null || present.counts()) {
                return;
            }
            uncounted = LESS;
            dropped = new ArrayList<>(window);
            window.clear();
            head = null;
            next = position;
        }
        dropped.forEach(Ahead::drop);
    }

    /** How many bytes are there. */
    synchronized int available() {
        Ahead present = arrived();
        return present == null ? 0 : (int) (present.end - position);
    }

    private @Nullable Ahead arrived() {
        Ahead present = head;
        return closed || present == null || present.content == null ? null : present;
    }

    /** Goes to another position if its byte is there. */
    synchronized boolean seek(long to) {
        Ahead present = arrived();
        if (present == null || to < present.piece().offset() || to >= present.end) {
            return false;
        }
        position = to;
        return true;
    }

    /** Where the next byte is taken from. */
    synchronized long position() {
        return position;
    }

    /** The next small piece, which belongs to who takes it and does not count. To be called once {@link #ready} has come. */
    BlobPiece slice() {
        BlobPiece slice;
        synchronized (this) {
            Ahead present = arrived();
            if (present == null) {
                throw closedInBetween();
            }
            int count = (int) Math.min(UNCOUNTED, present.end - position);
            slice = present.piece().part(position, count);
            position += count;
            awaited = false;
        }
        free();
        return slice;
    }

    /** Of a range that the reader has taken whole nothing is kept. */
    private void free() {
        Ahead done;
        synchronized (this) {
            done = head;
            if (done == null || done.content == null || position < done.end) {
                return;
            }
            head = null;
            unkeep();
        }
        done.drop();
    }

    /** A reader that goes on after an error begins where it was. */
    private void again() {
        giveUp();
        synchronized (this) {
            head = null;
            next = position;
            unkeep();
        }
    }

    /** Drops what the reader has not come to. */
    void giveUp() {
        List<Ahead> dropped;
        List<Runnable> drops = List.of();
        long spare = 0;
        synchronized (this) {
            dropped = new ArrayList<>(window);
            window.clear();
            if (head != null) {
                spare = head.shrink(position);
                next = head.end;
                drops = awaited ? drops : pausing();
            } else if (!dropped.isEmpty()) {
                next = dropped.get(0).offset;
            }
        }
        dropped.forEach(Ahead::drop);
        share.free(spare);
        drops.forEach(Runnable::run);
    }

    private static IllegalStateException closedInBetween() {
        return new IllegalStateException("the content was closed while it was read");
    }

    /** Ends what is in flight and frees all. */
    @Override
    public void close() {
        Ahead present;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            present = head;
            head = null;
        }
        giveUp();
        if (present != null) {
            present.drop();
            present.arrival.complete(Optional.of(closedInBetween()));
        }
        share.close();
    }
}
