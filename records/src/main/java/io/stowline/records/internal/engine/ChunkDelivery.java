package io.stowline.records.internal.engine;

import io.stowline.error.ClosedException;
import io.stowline.records.internal.blob.ChunkRefusedException;
import io.stowline.records.internal.blob.ChunkTarget;
import io.stowline.records.internal.chunk.ChunkSeal;
import io.stowline.records.internal.chunk.DamagedChunkException;
import io.stowline.records.internal.chunk.SealedChunk;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * The delivery of a writer: takes chunks that take no more records to their target, one at a time, the oldest first. A try that fails is
 * followed by another one after a wait. All its work is done on one worker; the queue is guarded by the writer's lock.
 */
final class ChunkDelivery {

    private static final Logger LOG = LoggerFactory.getLogger(ChunkDelivery.class);

    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The receiver of the ends of chunks, called on the worker, outside the lock. */
    interface Ends {

        void written(BufferedChunk chunk, int records, @Nullable ChunkSeal seal, String blob);

        void failed(BufferedChunk chunk, SealedChunk sealed, Throwable cause);

        /** Returns the name of the blob that is to take a chunk. */
        String blob(BufferedChunk chunk);

        /** The client is closed, so that no further chunk can be delivered. */
        void clientClosed(ClosedException cause);
    }

    private final WriterLock lock;
    private final ChunkTarget target;
    private final Scheduler.Worker worker;
    private final ChunkPause pause;
    private final LongSupplier nanos;
    private final @Nullable Duration timeout;
    private final Ends ends;
    private final Deque<BufferedChunk> queue = new ArrayDeque<>();
    private final Deque<BufferedChunk> unsealed = new ArrayDeque<>();
    private long ordinals;
    private @Nullable DeliveryTry current;
    private @Nullable Disposable wait;
    private boolean stopped;

    ChunkDelivery(
            WriterLock lock,
            ChunkTarget target,
            Scheduler.Worker worker,
            ChunkPause pause,
            LongSupplier nanos,
            @Nullable Duration timeout,
            Ends ends) {
        this.lock = lock;
        this.target = target;
        this.worker = worker;
        this.pause = pause;
        this.nanos = nanos;
        this.timeout = timeout;
        this.ends = ends;
    }

    /** Takes a chunk; called under the lock. */
    void add(BufferedChunk chunk) {
        ordinals++;
        chunk.queued(ordinals, now() + (timeout == null ? 0 : timeout.toNanos()));
        queue.add(chunk);
        if (!chunk.isFound()) {
            unsealed.add(chunk);
        }
        lock.afterwards(this::hurry);
    }

    /** Returns whether a chunk is on its way; called under the lock. */
    boolean isIdle() {
        return queue.isEmpty();
    }

    /** Returns the number of the last chunk that was added; called under the lock. */
    long added() {
        return ordinals;
    }

    /** Returns the number of the last chunk that has ended: they end in their order. Called under the lock. */
    long ended() {
        return ordinals - queue.size();
    }

    /** Returns the error of the last try, unless one has succeeded since; on the worker. */
    @Nullable
    Throwable error() {
        return pause.error();
    }

    /** Takes the oldest chunk from the queue; called under the lock, with its end. */
    void remove(BufferedChunk chunk) {
        queue.remove(chunk);
        unsealed.remove(chunk);
    }

    /** Has the worker go on. */
    private void hurry() {
        post(this::work);
    }

    private void post(Runnable step) {
        try {
            worker.schedule(() -> guarded(step));
        } catch (RejectedExecutionException closed) {
            // The writer has ended, and with it the interest in late responses.
        }
    }

    /** An error of a step must not end the delivery. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            LOG.error("a step of the delivery of records has failed; it goes on", e);
            if (!stopped && current == null && wait == null) {
                waitFor(REST_NANOS);
            }
        }
    }

    private void work() {
        sealAll();
        while (!stopped && current == null && wait == null) {
            BufferedChunk head = head();
            if (head == null || !begin(head)) {
                return;
            }
        }
    }

    private @Nullable BufferedChunk head() {
        lock.enter();
        try {
            return queue.peek();
        } finally {
            lock.leave();
        }
    }

    /** Ends the files of chunks before their turn, so that few are open. */
    private void sealAll() {
        for (BufferedChunk chunk = pollUnsealed(); chunk != null; chunk = pollUnsealed()) {
            try {
                chunk.sealed();
            } catch (RuntimeException | Error e) {
                LOG.warn("the end of a chunk has failed, and is tried again at its turn", e);
            }
        }
    }

    private @Nullable BufferedChunk pollUnsealed() {
        lock.enter();
        try {
            return unsealed.poll();
        } finally {
            lock.leave();
        }
    }

    /** Begins a try; returns true if the chunk has its end already. */
    private boolean begin(BufferedChunk chunk) {
        DeliveryTry made = new DeliveryTry(chunk);
        try {
            SealedChunk sealed = chunk.sealed();
            if (sealed.records() == 0) {
                sealed.delivered();
                ends.written(chunk, 0, null, "");
                return true;
            }
            current = made;
            chunk.inFlight();
            made.running = target.deliver(sealed).subscribe(made::written, made::failed, () -> made.written(""));
        } catch (RuntimeException | Error e) {
            current = made;
            made.failed(e);
        }
        return false;
    }

    /** One try of a chunk, whose first signal counts. */
    private final class DeliveryTry {

        private final BufferedChunk chunk;
        private @Nullable Disposable running;

        DeliveryTry(BufferedChunk chunk) {
            this.chunk = chunk;
        }

        void written(String blob) {
            post(() -> {
                if (current == this) {
                    current = null;
                    delivered(chunk, blob);
                    work();
                }
            });
        }

        void failed(Throwable error) {
            post(() -> {
                if (current == this) {
                    current = null;
                    settle(chunk, error);
                    work();
                }
            });
        }
    }

    private void delivered(BufferedChunk chunk, String blob) {
        SealedChunk sealed = chunk.sealed();
        int records = sealed.records();
        ChunkSeal seal = sealed.seal();
        try {
            sealed.delivered();
        } catch (RuntimeException e) {
            LOG.warn("a chunk that is in its blob stays on disk; a later process finds it there", e);
        }
        pause.responded();
        ends.written(chunk, records, seal, blob);
    }

    private void settle(BufferedChunk chunk, Throwable error) {
        chunk.failed(error);
        if (error instanceof ClosedException closed) {
            stopped = true;
            ends.clientClosed(closed);
        } else if (error instanceof ChunkRefusedException || error instanceof DamagedChunkException) {
            pause.responded();
            fail(chunk, error);
        } else {
            Duration delay = pause.failed(error, ends.blob(chunk));
            long left = chunk.due() - now();
            if (timeout == null) {
                waitFor(delay.toNanos());
            } else if (left <= 0) {
                fail(chunk, error);
                if (!isOverdue(head())) {
                    waitFor(delay.toNanos());
                }
            } else {
                waitFor(Math.min(delay.toNanos(), left));
            }
        }
    }

    /** Chunks whose time is over have one try each, without waits between them: an outage must not go on for each of them. */
    private boolean isOverdue(@Nullable BufferedChunk chunk) {
        return chunk != null && chunk.due() - now() <= 0;
    }

    private void waitFor(long delay) {
        Runnable next = () -> {
            wait = null;
            work();
        };
        wait = worker.schedule(() -> guarded(next), delay, TimeUnit.NANOSECONDS);
    }

    private void fail(BufferedChunk chunk, Throwable cause) {
        ends.failed(chunk, chunk.sealed(), cause);
    }

    private long now() {
        return nanos.getAsLong();
    }

    /** Ends the delivery, and returns the chunks that have no end, the oldest first; called on the worker. */
    List<BufferedChunk> stop() {
        stopped = true;
        DeliveryTry running = current;
        current = null;
        if (running != null && running.running != null) {
            running.running.dispose();
        }
        Disposable waiting = wait;
        if (waiting != null) {
            waiting.dispose();
        }
        sealAll();
        lock.enter();
        try {
            return new ArrayList<>(queue);
        } finally {
            lock.leave();
        }
    }
}
