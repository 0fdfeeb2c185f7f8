package io.stowline.blob.internal.transfer;

import io.stowline.blob.TransferProgress;
import io.stowline.transport.internal.concurrent.UserCode;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * A meter that counts what one transfer moves, of one blob or of many, and shows it to a listener. The listener is called where something moves, at most
 * every 100 ms, and once more by {@link #finish} with the final state: one call at a time, on the executor. What it throws is contained and
 * logged once.
 *
 * <p>An owner makes one meter per transfer, calls {@link #expect} for each blob, {@link #allExpected} after the last one, and
 * {@link #finish} at the end. What moves the content calls {@link #moved} and {@link #retried}. Within a transfer of many blobs it finds in
 * its Reactor context a {@link BlobMeter}, whose owner counts the blob; see {@link #in}.
 *
 * <p>Lock-free and thread-safe; no method waits.
 */
public final class ProgressMeter {

    static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final Logger LOG = LoggerFactory.getLogger(ProgressMeter.class);

    private final @Nullable Consumer<? super TransferProgress> listener;
    private final LongSupplier clock;
    private final Executor executor;
    private final LongAdder bytesExpected = new LongAdder();
    private final LongAdder blobsExpected = new LongAdder();
    private final LongAdder blobsDone = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final AtomicLong bytesDone = new AtomicLong();
    private final RateWindow rate;
    private final AtomicReference<Calls> calls = new AtomicReference<>(Calls.IDLE);
    private final CompletableFuture<Void> finished = new CompletableFuture<>();
    private volatile boolean complete;
    private volatile boolean over;
    private volatile long lastCall;
    private volatile boolean failed;

    /** Written by the thread that reads itself here, so that it need not be volatile. */
    private @Nullable Thread caller;

    /** The end of a blob among many. */
    public enum TransferEnding {
        /** All its bytes count as done. */
        ARRIVED,
        /** Failed: its bytes are subtracted from the progress. */
        FAILED,
        /** The end of an item whose content did not have to travel: its bytes are no longer expected. */
        NOT_NEEDED
    }

    /**
     * The state of the listener's calls: none, one that waits or runs, one after which the last one follows, none from
     * then on.
     */
    private enum Calls {
        IDLE,
        BUSY,
        LAST,
        OVER
    }

    /**
     * A meter that begins now.
     *
     * @param listener shows the progress, or {@code null} for none
     * @param clock monotonic time in nanoseconds
     * @param executor where the listener runs; if it refuses, the listener runs on the thread that reports
     */
    public ProgressMeter(@Nullable Consumer<? super TransferProgress> listener, LongSupplier clock, Executor executor) {
        this.listener = listener;
        this.clock = clock;
        this.executor = executor;
        this.lastCall = clock.getAsLong();
        this.rate = new RateWindow(lastCall);
    }

    /** Returns the meter of one blob in this context, or {@code null} where the blob is a transfer by itself. */
    public static @Nullable BlobMeter in(ContextView context) {
        return context.getOrDefault(BlobMeter.class, null);
    }

    /**
     * Expects one more blob of the transfer.
     *
     * @param bytes of its content; 0 where there is none, or where the length is not known
     */
    public void expect(long bytes) {
        blobsExpected.increment();
        bytesExpected.add(bytes);
    }

    /**
     * Fixes the totals, as all blobs and bytes of the transfer are expected now. Not called where a length is unknown.
     */
    public void allExpected() {
        complete = true;
    }

    /**
     * Counts content that has arrived.
     *
     * @param bytes the number, negative where a part starts again
     */
    public void moved(long bytes) {
        long now = clock.getAsLong();
        rate.note(now, bytesDone.getAndAdd(bytes));
        report(now);
    }

    /** Counts a request that is sent again. */
    public void retried() {
        retries.increment();
        report(clock.getAsLong());
    }

    /** Counts the end of a blob, in whatever way. */
    public void blobDone() {
        blobsDone.increment();
        report(clock.getAsLong());
    }

    /** Returns the present state. */
    public TransferProgress snapshot() {
        boolean known = complete;
        long now = clock.getAsLong();
        long bytes = bytesDone.get();
        long total = bytesExpected.sum();
        double speed = rate.at(now, bytes);
        return new TransferProgress(
                Math.max(0, bytes),
                known ? OptionalLong.of(total) : OptionalLong.empty(),
                blobsDone.sum(),
                known ? OptionalLong.of(blobsExpected.sum()) : OptionalLong.empty(),
                speed,
                over ? Optional.of(Duration.ZERO) : known ? timeLeft(total - bytes, speed) : Optional.empty(),
                retries.sum());
    }

    private static Optional<Duration> timeLeft(long bytes, double speed) {
        if (bytes <= 0) {
            return Optional.of(Duration.ZERO);
        }
        double seconds = bytes / speed;
        return seconds < Integer.MAX_VALUE
                ? Optional.of(Duration.ofMillis((long) Math.ceil(seconds * 1_000)))
                : Optional.empty();
    }

    /**
     * Ends the transfer: the listener gets the final state.
     *
     * @return completes when the listener has returned from its last call; never with an error
     */
    public CompletableFuture<Void> finish() {
        over = true;
        if (listener == null) {
            finished.complete(null);
            return finished;
        }
        Calls before = calls.getAndUpdate(now -> now == Calls.OVER ? now : Calls.LAST);
        if (before == Calls.IDLE) {
            run();
        }
        return finished;
    }

    private void report(long now) {
        if (listener != null
                && now - lastCall >= INTERVAL_NANOS
                && calls.get() == Calls.IDLE
                && calls.compareAndSet(Calls.IDLE, Calls.BUSY)) {
            run();
        }
    }

    private void run() {
        try {
            executor.execute(this::call);
        } catch (RejectedExecutionException refused) {
            call();
        }
    }

    /** One call runs at a time: the state is not idle until it is over. */
    private void call() {
        if (calls.get() == Calls.BUSY) {
            lastCall = clock.getAsLong();
            show();
            if (calls.compareAndSet(Calls.BUSY, Calls.IDLE)) {
                return;
            }
        }
        show();
        calls.set(Calls.OVER);
        finished.complete(null);
    }

    /** Returns whether this thread runs the listener, which holds up {@link #finish}. */
    public boolean isCurrent() {
        return caller == Thread.currentThread();
    }

    private void show() {
        Consumer<? super TransferProgress> shown = listener;
        if (shown == null) {
            return;
        }
        caller = Thread.currentThread();
        try {
            shown.accept(snapshot());
        } catch (Throwable e) {
            if (!failed) {
                failed = true;
                LOG.warn("a progress listener has failed; its next failures are not logged", UserCode.printable(e));
            }
        } finally {
            caller = null;
        }
    }

    /**
     * A meter of the content of one blob among many. What it has counted is taken back if the blob fails, and completed if it arrives, so that
     * an engine may report its bytes, or not. Thread-safe.
     */
    public final class BlobMeter {

        private final AtomicLong bytes = new AtomicLong();
        private final long size;

        /**
         * The meter of a blob that is expected by {@link #expect}.
         *
         * @param size the bytes of its content
         */
        public BlobMeter(long size) {
            this.size = size;
        }

        /**
         * Returns the context in which {@link #in} finds this meter, and requests that are sent again their listener.
         */
        public Context in(Context context) {
            return RetryListener.in(context.put(BlobMeter.class, this), this::retried);
        }

        /** Counts content as {@link ProgressMeter#moved} does. */
        public void moved(long count) {
            bytes.addAndGet(count);
            ProgressMeter.this.moved(count);
        }

        /** Counts a request as {@link ProgressMeter#retried} does. */
        public void retried() {
            ProgressMeter.this.retried();
        }

        /** Ends the blob. */
        public void end(TransferEnding ending) {
            if (ending == TransferEnding.NOT_NEEDED) {
                bytesExpected.add(-size);
            }
            ProgressMeter.this.moved((ending == TransferEnding.ARRIVED ? size : 0) - bytes.getAndSet(0));
            blobDone();
        }
    }
}
