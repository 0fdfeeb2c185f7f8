package io.stowline.blob.internal.transfer;

import io.stowline.transport.internal.concurrent.FatalErrors;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * The memory that all transfers of one client share (TRANSFER-3). A transfer takes memory before it reads or requests bytes and frees it when they
 * are gone. Transfers that wait are served in FIFO order, each with one wait at a time, so that every transfer advances. A transfer whose
 * caller decides when its bytes move gives up what it can while others wait, but for a small piece; of these pieces, too, there is only so
 * much. Thread-safe; nothing foreign runs under the lock.
 */
public final class TransferMemory {

    private static final long MAX = 128L << 20;

    private final long capacity;
    private final Queue<Waiting> line = new ArrayDeque<>();
    private final Set<Share> yielding = new LinkedHashSet<>();
    private final PausedPieces pieces;
    private long reservedBytes;
    private long peak;

    /** Makes a memory of this many bytes. */
    public TransferMemory(long capacity) {
        this.capacity = capacity;
        this.pieces = new PausedPieces(capacity / 2);
    }

    /** Returns a memory of a quarter of the heap, at most 128 MiB. */
    public static TransferMemory ofHeap() {
        return new TransferMemory(Math.min(MAX, Runtime.getRuntime().maxMemory() / 4));
    }

    /** A wait for memory. */
    private record Waiting(Share share, long bytes, MonoSink<Boolean> sink) {}

    /** Returns the most bytes that can be taken at once. */
    public long capacity() {
        return capacity;
    }

    /** Returns the bytes that are taken now. */
    public synchronized long now() {
        return reservedBytes;
    }

    /** Returns the most bytes that were ever taken at once. */
    public synchronized long max() {
        return peak;
    }

    /** Returns the number of waiting transfers. */
    synchronized int waiting() {
        return line.size();
    }

    /** Returns the share of a transfer that moves its bytes as fast as the service takes or gives them. */
    public Share share() {
        return new Share(null, null);
    }

    /**
     * Returns the share of a transfer whose caller decides when its bytes move.
     *
     * @param giveUp frees what it can; called on any thread when others wait, perhaps more than once
     */
    public Share share(Runnable giveUp) {
        return new Share(giveUp, null);
    }

    /**
     * Returns the share of a transfer whose caller pauses with an uncounted piece in hand.
     *
     * @param letGo drops that piece; called on any thread when the pieces of all paused callers are too much
     */
    public Share share(Runnable giveUp, Runnable letGo) {
        return new Share(giveUp, letGo);
    }

    /** Returns the most bytes of all paused callers beside {@link #capacity}. */
    public long maxKept() {
        return pieces.max();
    }

    /** Returns the bytes of all paused callers beside {@link #now}. */
    public long kept() {
        return pieces.kept();
    }

    /** The memory of one transfer. Closing it frees the rest and ends its wait. Thread-safe. */
    public final class Share implements AutoCloseable {

        private final @Nullable Runnable giveUp;
        private final @Nullable Runnable letGo;
        private long own;
        private boolean closed;

        private Share(@Nullable Runnable giveUp, @Nullable Runnable letGo) {
            this.giveUp = giveUp;
            this.letGo = letGo;
        }

        /**
         * Keeps a piece that is not counted while its reader pauses, in place of the one before.
         *
         * @return what drops the pieces of those who have paused longest, as far as all together are too much; to be run without a lock
         */
        public List<Runnable> keep(long bytes) {
            synchronized (TransferMemory.this) {
                return closed || letGo == null ? List.of() : pieces.keep(this, bytes, letGo);
            }
        }

        /** Reports that its reader continues, or has no piece now. */
        public void unkeep() {
            pieces.forget(this);
        }

        /**
         * Takes memory, when it is there.
         *
         * @param bytes how much; more than there is at all waits until nothing is held
         * @return true once it is held; an error if the share is closed
         */
        public Mono<Boolean> take(long bytes) {
            return FatalErrors.handingOver(Mono.create(sink -> {
                Waiting wait = new Waiting(this, bytes, sink);
                sink.onCancel(() -> cancelled(wait));
                enqueue(wait);
            }));
        }

        /** Takes memory if it is there now and no other transfer waits. */
        public boolean tryTake(long bytes) {
            synchronized (TransferMemory.this) {
                if (closed || !line.isEmpty() || !fits(bytes)) {
                    return false;
                }
                hold(this, bytes);
                return true;
            }
        }

        /** Takes memory whether it is there or not: of what has arrived already. */
        public void force(long bytes) {
            synchronized (TransferMemory.this) {
                if (!closed) {
                    hold(this, bytes);
                }
            }
        }

        /** Frees memory. */
        public void free(long bytes) {
            List<Waiting> granted;
            synchronized (TransferMemory.this) {
                if (closed) {
                    return;
                }
                drop(this, bytes);
                granted = grant();
            }
            serve(granted);
        }

        /** Returns whether the caller of this transfer decides when its bytes move. */
        public boolean yields() {
            return giveUp != null;
        }

        /** Returns whether other transfers wait for memory. */
        public boolean othersWait() {
            synchronized (TransferMemory.this) {
                return line.stream().anyMatch(wait -> wait.share != this);
            }
        }

        /** Returns its bytes. */
        public long reservedBytes() {
            synchronized (TransferMemory.this) {
                return own;
            }
        }

        @Override
        public void close() {
            List<Waiting> granted;
            List<Waiting> refused = new ArrayList<>();
            synchronized (TransferMemory.this) {
                if (closed) {
                    return;
                }
                closed = true;
                yielding.remove(this);
                pieces.forget(this);
                line.removeIf(wait -> wait.share == this && refused.add(wait));
                reservedBytes -= own;
                own = 0;
                granted = grant();
            }
            refused.forEach(wait -> wait.sink.error(closed()));
            serve(granted);
        }
    }

    private static CancellationException closed() {
        return new CancellationException("the transfer has ended");
    }

    private void enqueue(Waiting wait) {
        boolean refused;
        List<Waiting> granted = List.of();
        List<Runnable> yields = List.of();
        synchronized (this) {
            refused = wait.share.closed;
            if (!refused) {
                line.add(wait);
                granted = grant();
                yields = line.isEmpty() ? List.of() : yields(wait.share);
            }
        }
        if (refused) {
            wait.sink.error(closed());
        }
        serve(granted);
        yields.forEach(Runnable::run);
    }

    private List<Runnable> yields(Share requesting) {
        List<Runnable> all = new ArrayList<>();
        for (Share share : yielding) {
            if (share != requesting && share.giveUp != null) {
                all.add(share.giveUp);
            }
        }
        return all;
    }

    /** Memory that was granted in the same moment goes back. */
    private void cancelled(Waiting wait) {
        List<Waiting> granted;
        synchronized (this) {
            if (!line.remove(wait)) {
                return;
            }
            granted = grant();
        }
        serve(granted);
    }

    private boolean fits(long bytes) {
        return reservedBytes == 0 || reservedBytes + bytes <= capacity;
    }

    private void hold(Share share, long bytes) {
        reservedBytes += bytes;
        share.own += bytes;
        peak = Math.max(peak, reservedBytes);
        if (share.giveUp != null) {
            yielding.add(share);
        }
    }

    private void drop(Share share, long bytes) {
        reservedBytes -= bytes;
        share.own -= bytes;
        if (share.own == 0) {
            yielding.remove(share);
        }
    }

    private List<Waiting> grant() {
        List<Waiting> granted = new ArrayList<>(0);
        for (Waiting first = line.peek(); first != null && fits(first.bytes); first = line.peek()) {
            line.remove();
            hold(first.share, first.bytes);
            granted.add(first);
        }
        return granted;
    }

    private static void serve(List<Waiting> granted) {
        granted.forEach(wait -> wait.sink.success(true));
    }
}
