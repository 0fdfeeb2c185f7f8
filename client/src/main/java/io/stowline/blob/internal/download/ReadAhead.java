package io.stowline.blob.internal.download;

import io.stowline.blob.internal.download.PrefetchWindow.PrefetchedRange;
import io.stowline.blob.internal.range.BlobPiece;
import io.stowline.blob.internal.range.PinnedVersion;
import io.stowline.blob.internal.range.RangeSource;
import io.stowline.blob.internal.transfer.TransferMemory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * A reader of a part of a blob in its order, some ranges ahead of a reader who decides how fast it goes. What the reader has not taken yet is
 * dropped when other transfers wait for memory, and requested again later, but for a small piece that does not count: readers that pause
 * keep no transfer from its memory, and readers whose bytes go into other transfers never wait for each other (TRANSFER-3). That piece is
 * dropped, too, when many readers pause; a reader that waits for it has it in peace until it has taken something of it.
 *
 * <p>One reader at a time; giving up and closing come from any thread.
 */
final class ReadAhead implements AutoCloseable {

    private final TransferMemory.Share share;
    private final PrefetchWindow window;
    private long position;
    private @Nullable PrefetchedRange head;
    private boolean awaited = true;
    private boolean keeps;
    private boolean closed;

    /**
     * A reader of what lies between two offsets.
     *
     * @param share counts them; its {@code giveUp} calls {@link #giveUp}, and its {@code letGo} calls {@link #letGo}
     * @param context the Reactor context of the requests
     */
    ReadAhead(
            RangeSource reader,
            PinnedVersion version,
            TransferMemory.Share share,
            PrefetchWindow.PrefetchBounds part,
            ContextView context) {
        this.share = share;
        this.window = new PrefetchWindow(reader, version, share, part, context, this::giveUp);
        this.position = part.from();
    }

    /**
     * Returns a reader of a blob whose first range has arrived.
     *
     * @param share counts that range, and nothing else
     */
    static ReadAhead begun(
            RangeSource reader,
            BlobPiece first,
            TransferMemory.Share share,
            PrefetchWindow.PrefetchBounds part,
            ContextView context) {
        ReadAhead begun = new ReadAhead(reader, first.version(), share, part, context);
        begun.begin(first);
        return begun;
    }

    private synchronized void begin(BlobPiece first) {
        head = window.begun(first);
    }

    /**
     * Waits for bytes at the position.
     *
     * @return true once they are there, false at the end; an {@link IllegalStateException} once it is closed
     */
    Mono<Boolean> ready() {
        return Mono.defer(() -> {
            free();
            List<PrefetchedRange> begun = new ArrayList<>(2);
            PrefetchedRange wanted;
            boolean there;
            synchronized (this) {
                if (closed) {
                    return Mono.error(closedInBetween());
                }
                awaited = true;
                wanted = head == null ? window.poll(begun) : head;
                head = wanted;
                if (wanted == null) {
                    return Mono.just(false);
                }
                window.fill(begun);
                there = wanted.hasArrived();
            }
            begun.forEach(PrefetchedRange::start);
            return there ? Mono.just(true) : wanted.arrival().doOnError(error -> again());
        });
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
            PrefetchedRange present = arrived();
            if (present == null) {
                return 0;
            }
            BlobPiece content = present.piece();
            count = (int) Math.min(length, present.end() - position);
            System.arraycopy(content.bytes(), (int) (position - content.offset()), target, offset, count);
            position += count;
            drops = pausing();
        }
        drops.forEach(Runnable::run);
        return count;
    }

    /** Reports that the reader has bytes that it does not take at once. */
    void pause() {
        List<Runnable> drops;
        synchronized (this) {
            drops = pausing();
        }
        drops.forEach(Runnable::run);
    }

    /**
     * The reader has its next bytes, so that the rest may be dropped. Returns the drops of others, to be run without a
     * lock.
     */
    private List<Runnable> pausing() {
        awaited = false;
        PrefetchedRange present = arrived();
        if (keeps || present == null || present.counts() || position == present.end()) {
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
        List<PrefetchedRange> dropped;
        synchronized (this) {
            keeps = false;
            PrefetchedRange present = arrived();
            if (awaited || present == null || present.counts()) {
                return;
            }
            window.requestLess();
            dropped = window.clear();
            window.goOnAt(position);
            head = null;
        }
        dropped.forEach(PrefetchedRange::drop);
    }

    /** Returns the number of bytes that have arrived. */
    synchronized int available() {
        PrefetchedRange present = arrived();
        return present == null ? 0 : (int) (present.end() - position);
    }

    private @Nullable PrefetchedRange arrived() {
        PrefetchedRange present = head;
        return closed || present == null || !present.hasArrived() ? null : present;
    }

    /** Goes to another position if its byte is there. */
    synchronized boolean seek(long to) {
        PrefetchedRange present = arrived();
        if (present == null || to < present.piece().offset() || to >= present.end()) {
            return false;
        }
        position = to;
        return true;
    }

    /** Returns the position of the next byte. */
    synchronized long position() {
        return position;
    }

    /** Returns the next small piece, which belongs to its receiver and does not count. */
    BlobPiece slice() {
        BlobPiece slice;
        synchronized (this) {
            PrefetchedRange present = arrived();
            if (present == null) {
                throw closedInBetween();
            }
            int count = (int) Math.min(RangeSource.UNCOUNTED, present.end() - position);
            slice = present.piece().part(position, count);
            position += count;
            awaited = false;
        }
        free();
        return slice;
    }

    /** A range that the reader has taken whole is dropped. */
    private void free() {
        PrefetchedRange done;
        synchronized (this) {
            done = head;
            if (done == null || !done.hasArrived() || position < done.end()) {
                return;
            }
            head = null;
            unkeep();
        }
        done.drop();
    }

    /** A reader that continues after an error begins at its position. */
    private void again() {
        giveUp();
        synchronized (this) {
            head = null;
            window.goOnAt(position);
            unkeep();
        }
    }

    /** Drops what the reader has not come to. */
    void giveUp() {
        List<PrefetchedRange> dropped;
        List<Runnable> drops = List.of();
        long spare = 0;
        synchronized (this) {
            dropped = window.clear();
            if (head != null) {
                spare = head.shrink(position);
                window.goOnAt(head.end());
                drops = awaited ? drops : pausing();
            }
        }
        dropped.forEach(PrefetchedRange::drop);
        share.free(spare);
        drops.forEach(Runnable::run);
    }

    private static IllegalStateException closedInBetween() {
        return new IllegalStateException("the content was closed while it was read");
    }

    /** Ends what is in flight and frees all. */
    @Override
    public void close() {
        PrefetchedRange present;
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
            present.fail(closedInBetween());
        }
        share.close();
    }
}
