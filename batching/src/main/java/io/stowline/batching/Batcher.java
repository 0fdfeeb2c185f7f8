package io.stowline.batching;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Schedulers;

/**
 * One writer: takes items one by one and has them sent in batches by the shared {@link Lanes}.
 *
 * <ul>
 *   <li>An item is refused with an error, or accepted; accepted means exactly one result, whatever happens.
 *   <li>Items of one entity are sent in the order of their submits.
 *   <li>The buffer is bounded: what is accepted and not terminal, and what is terminal until its callbacks have run;
 *       {@link BatcherSettings} has the bounds and defaults. A submit is refused only when the buffer or its lane's share is
 *       full, or other submits wait for room before it. A crash loses at most {@link #bufferedItems()} items, or
 *       {@link #bufferedBytes()} bytes.
 *   <li>Failed items whose results are not taken are kept for {@link #takeFailures()} and {@link #close()}: the first 1,000
 *       and at most an eighth of {@code bufferBytes}, which they take from the buffer; the rest by number.
 *   <li>An error that dooms all breaks the writer: every later submit throws it.
 * </ul>
 *
 * <p>All methods are safe for use by many threads, and within callbacks.
 *
 * @param <K> the type of a lane's key
 * @param <I> the type of an item
 * @param <R> the type of an item's result
 */
public final class Batcher<K, I, R> implements AutoCloseable {

    private static final int WINDOW = 1_024;

    /** The part of the buffer's bytes that failures may take whose results were not taken. */
    private static final int UNTAKEN_SHARE = 8;

    /** Guarded by the engine's lock: why nothing more is accepted. */
    @Nullable
    Throwable broken;

    /** Guarded by the engine's lock: items accepted up to this number do not linger. */
    long urgentSeq;

    /** Guarded by the engine's lock: whether it is looked at before the lock is left. */
    boolean touched;

    private final Engine<K, I, R> engine;
    private final Intake<K, I, R> intake;
    private final BatcherSettings settings;
    private final Callbacks callbacks;
    private final long lingerNanos;
    private final Room<K, I, R> room;
    private final @Nullable Expiries<K, I, R> expiries;
    private final Progress progress;
    private final ExitWatch exits;
    private final Epochs epochs = new Epochs();
    private final Untaken<R> untaken;
    private final CompletableFuture<@Nullable RuntimeException> closed = new CompletableFuture<>();
    private final Disposable.Swap deadline = Disposables.swap();
    private boolean closing;
    private boolean ended;

    Batcher(Engine<K, I, R> engine, Intake<K, I, R> intake, BatcherSettings settings, Room<K, I, R> room) {
        this.engine = engine;
        this.intake = intake;
        this.settings = settings;
        this.room = room;
        this.untaken = new Untaken<>(settings.bufferBytes() / UNTAKEN_SHARE);
        this.lingerNanos = settings.linger().toNanos();
        Duration deliveryTimeout = settings.deliveryTimeout();
        this.expiries = deliveryTimeout == null ? null : new Expiries<>(deliveryTimeout);
        this.progress = new Progress(settings.giveUpAfter());
        Executor own = settings.callbacks();
        this.callbacks = own == null ? engine.callbacks() : engine.callbacks().with(own);
        this.exits = engine.exits();
    }

    /**
     * Submits an item, and waits for room when there is none. A callback waits, too, but is refused when the buffer holds
     * nothing but results that wait for callbacks, since it may be what they wait for; {@link #write} waits in line without
     * a thread.
     *
     * @param key the lane
     * @param item the item
     * @return the accepted item
     * @throws BufferFullException if there was no room within {@code submitTimeout}, or a callback would wait for callbacks
     * @throws OversizeItemException if the item does not fit in a batch
     * @throws ClosedException if the writer or the engine is closed
     * @throws WaitInterruptedException if the thread is interrupted, before or while it waits
     * @throws IllegalStateException on a thread that must not block, also when there is room: use {@link #write} or
     *     {@link #offer} there
     * @throws GaveUpException if the writer gave up
     */
    public Submission<R> submit(K key, I item) {
        if (Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException("submit() may block "
                    + Thread.currentThread().getName() + ", which must not block; use write() or offer()");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted();
        }
        Entry<K, I, R> entry = intake.prepare(this, item, false);
        Submission<R> submission = entry.submission;
        if (admit(key, entry, null)) {
            return submission;
        }
        Waiter waiter = Waiter.blocked();
        if (!intake.admit(this, key, entry, waiter)) {
            waitForRoom(entry, waiter);
        }
        return submission;
    }

    /**
     * Submits an item if there is room.
     *
     * @param key the lane
     * @param item the item
     * @return the accepted item
     * @throws BufferFullException if there is no room
     * @throws OversizeItemException if the item does not fit in a batch
     * @throws ClosedException if the writer or the engine is closed
     */
    public Submission<R> offer(K key, I item) {
        Entry<K, I, R> entry = intake.prepare(this, item, false);
        Submission<R> submission = entry.submission;
        if (!merge(key, entry)) {
            intake.offer(this, key, entry);
        }
        return submission;
    }

    /**
     * Submits an item on subscription, waiting for room without blocking a thread or a deadline of its own. Cancelling
     * the subscription leaves the line or cancels the item like {@link Submission#cancel()}.
     *
     * @param key the lane
     * @param item the item
     * @return the result, or the errors of {@link #submit} and of the item
     */
    public Mono<R> write(K key, I item) {
        return Mono.create(sink -> {
            try {
                write(key, item, sink);
            } catch (Throwable refusal) { // what Reactor takes for fatal it would throw and tell nobody
                sink.error(refusal);
            }
        });
    }

    private void write(K key, I item, MonoSink<R> sink) {
        Entry<K, I, R> entry = intake.prepare(this, item, true);
        Submission<R> submission = entry.submission;
        submission.whenDone((value, error) -> {
            if (error != null) {
                sink.error(error);
            } else {
                sink.success(value);
            }
        });
        sink.onCancel(submission::cancel);
        admit(key, entry, Waiter.reactive());
        Callbacks.Call unused = Callbacks.asking();
    }

    /**
     * Submits what a publisher gives, and gives the results in the order of their coming, of at most 1,024 items at a
     * time, or {@code bufferItems} when that is less; see {@link #writeAll(Publisher, int)}.
     *
     * @param items the items
     * @param <C> the type of the tags
     * @return one result for each item
     */
    public <C> Flux<TaggedResult<C, R>> writeAll(Publisher<? extends Tagged<K, I, C>> items) {
        return writeAll(items, Math.min(WINDOW, settings.bufferItems()));
    }

    /**
     * Submits what a publisher gives, and gives the results in the order of their coming. Starts at the first request.
     *
     * <ul>
     *   <li>An item that is refused or fails is a result; only the publisher's own error ends in one, after the results
     *       of all that came before it. Every result counts as taken.
     *   <li>Items wait for room without a thread, and results until they are requested; the publisher is never asked for
     *       more than the window beyond the results that were handed out.
     *   <li>Cancelling cancels the publisher and its items like {@link Submission#cancel()}.
     *   <li>Results are handed out, and the publisher is asked, on the callback executor. When the writer closes or
     *       breaks, the items that follow fail one by one.
     * </ul>
     *
     * @param items the items
     * @param window the most items that are asked for and have no result handed out, 1 to {@code bufferItems}
     * @param <C> the type of the tags
     * @return one result for each item
     * @throws IllegalArgumentException if the window is out of range
     */
    public <C> Flux<TaggedResult<C, R>> writeAll(Publisher<? extends Tagged<K, I, C>> items, int window) {
        Objects.requireNonNull(items, "items");
        Bounds.between("window", window, 1, settings.bufferItems());
        return WriteFlux.of(this, items, window);
    }

    /** Accepts an item or has it wait for room without a thread; its result counts as taken. */
    Submission<R> enlist(
            K key,
            I item,
            BiConsumer<? super @Nullable R, ? super @Nullable Throwable> callback,
            Callbacks.@Nullable Call asker) {
        Entry<K, I, R> entry = intake.prepare(this, item, true);
        Submission<R> submission = entry.submission;
        submission.listen(callback, asker);
        admit(key, entry, Waiter.reactive());
        return submission;
    }

    /**
     * Sends what has been accepted, without lingering, and tells when all of it is terminal. Callbacks of items are not
     * waited for. Flushes with nothing accepted between them share one report. Starts on subscription.
     *
     * @return what became of the items
     */
    public Mono<FlushReport> flush() {
        return Mono.defer(() -> callbacks.tell(startFlush()));
    }

    /**
     * Flushes like {@link #flush()} and waits for the end on this thread: also when all callback threads are busy.
     *
     * @return what became of the items
     * @throws WaitInterruptedException if the thread is interrupted while it waits; the items go on
     * @throws IllegalStateException if it would have to wait on a thread that must not block
     */
    public FlushReport flushAndWait() {
        CompletableFuture<FlushReport> end = startFlush();
        if (!end.isDone() && Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException(
                    "flushAndWait() would block " + Thread.currentThread().getName() + "; use flush()");
        }
        return await(end, "flushing");
    }

    /**
     * Refuses new items, sends what is buffered, and fails what has no outcome after {@code closeTimeout} with a
     * {@link LeftoverException}. Every call has the same result, with an exception of its own. Starts on subscription.
     *
     * @return empty when all is terminal, or {@link UncollectedFailuresException} when items failed whose results nobody
     *     took, or {@link GaveUpException} when the writer gave up
     */
    public Mono<Void> closeAsync() {
        return Mono.defer(() -> callbacks.tell(startClose())).flatMap(end -> Mono.defer(() -> Mono.error(again(end))));
    }

    /**
     * Closes like {@link #closeAsync()} and waits for the end. In a callback of the engine it does not wait, since the
     * callback may be what others wait for.
     *
     * @throws UncollectedFailuresException if items failed whose results nobody took
     * @throws GaveUpException if the writer gave up; failures whose results nobody took are suppressed in it
     * @throws WaitInterruptedException if the thread is interrupted while it waits; the close goes on
     * @throws IllegalStateException if it would have to wait on a thread that must not block; the close goes on
     */
    @Override
    public void close() {
        CompletableFuture<@Nullable RuntimeException> end = startClose();
        if (Callbacks.calling()) {
            return;
        }
        if (!end.isDone() && Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException(
                    "close() would block " + Thread.currentThread().getName() + "; use closeAsync()");
        }
        RuntimeException failures = await(end, "closing");
        if (failures != null) {
            throw again(failures);
        }
    }

    private static <T extends @Nullable Object> T await(CompletableFuture<T> end, String what) {
        Callbacks.beforeWaiting();
        try {
            return end.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException("interrupted while " + what + ", which goes on", interrupted);
        } catch (ExecutionException failed) {
            throw Thrown.unchecked(Objects.requireNonNullElse(failed.getCause(), failed));
        }
    }

    /**
     * Returns the failures whose results were not taken so far, and forgets them: a close no longer reports them. For a
     * writer that lives as long as its application.
     *
     * @return the failures, or empty when there are none
     */
    public Optional<UncollectedFailuresException> takeFailures() {
        engine.enter();
        try {
            Optional<UncollectedFailuresException> failures = Optional.ofNullable(untaken.poll());
            room.keepFailures(untaken.bytes());
            engine.touch(this);
            return failures;
        } finally {
            engine.leave();
        }
    }

    /**
     * Returns whether this writer is closed and everything that it had accepted is terminal.
     *
     * @return true from the end of its close on
     */
    public boolean isClosed() {
        return closed.isDone();
    }

    /**
     * Returns the number of items that are accepted and not terminal.
     *
     * @return the number of items
     */
    public int bufferedItems() {
        return (int) engine.read(room::items);
    }

    /**
     * Returns the bytes of the items that are accepted and not terminal.
     *
     * @return the number of bytes
     */
    public long bufferedBytes() {
        return engine.read(room::bytes);
    }

    /**
     * Returns the number of items that are terminal and whose callbacks have not run. They take room in the buffer like
     * those that are not terminal, so that callbacks that cannot keep up hold back those who submit.
     *
     * @return the number of items
     */
    public int undeliveredItems() {
        return (int) engine.read(room::results);
    }

    /**
     * Returns the settings.
     *
     * @return the settings
     */
    public BatcherSettings settings() {
        return settings;
    }

    Callbacks callbacks() {
        return callbacks;
    }

    Progress progress() {
        return progress;
    }

    Room<K, I, R> room() {
        return room;
    }

    @Nullable
    Expiries<K, I, R> expiries() {
        return expiries;
    }

    Epochs epochs() {
        return epochs;
    }

    long lingerNanos() {
        return lingerNanos;
    }

    boolean isClosing() {
        return closing;
    }

    boolean cancel(Submission<R> submission) {
        return intake.cancel(submission);
    }

    /** What is said at the end of the process; null when nothing is held, or the writer is being closed. */
    @Nullable
    String heldAtExit() {
        engine.enter();
        try {
            if (closing || room.items() == 0) {
                return null;
            }
            Object[] first = new Object[1];
            Consumer<Node<K, I, R>> look = node -> {
                if (first[0] == null && node instanceof Entry<K, I, R> entry && entry.batcher() == this) {
                    first[0] = entry.item;
                }
            };
            engine.forEachInFlight(look);
            engine.forEachQueued(look);
            return "the process ends while a writer that was not closed holds " + room.items() + " items, "
                    + room.bytes() + " bytes; what is not sent by then is lost. One of them is: " + first[0];
        } finally {
            engine.leave();
        }
    }

    /** Notes that somebody took a result after it had failed. */
    void collect(Submission<R> submission) {
        engine.enter();
        try {
            untaken.remove(submission);
            room.keepFailures(untaken.bytes());
            if (room.isShort()) {
                engine.touch(this);
            }
        } finally {
            engine.leave();
        }
    }

    /** Has a result that waits for callbacks take room, beyond the bounds where there is none. */
    void holdResult(Submission<R> submission) {
        engine.enter();
        try {
            submission.undelivered(1);
        } finally {
            engine.leave();
        }
    }

    /** Gives the room back that a result had until its callbacks have run. */
    void releaseResult(Submission<R> submission) {
        engine.enter();
        try {
            submission.undelivered(-1);
            if (room.isShort()) {
                engine.touch(this);
            }
        } finally {
            engine.leave();
        }
    }

    /** Under the engine's lock: counts an outcome and tells whoever waits for it. */
    void conclude(Submission<R> submission, I item, Object outcome) {
        if (submission.epoch != null) {
            submission.epoch.count(outcome);
        }
        submission.entry = null;
        submission.epoch = null;
        engine.ledger().publish(submission, outcome);
        Throwable error = outcome instanceof Failure failed ? failed.error() : null;
        progress.ended(error);
        tell(item, error);
        if (outcome instanceof Failure failure && !submission.isTaken()) {
            untaken.add(submission, Objects.requireNonNull(item), failure.error());
            room.keepFailures(untaken.bytes());
        }
    }

    private void tell(I item, @Nullable Throwable error) {
        Consumer<? super UncollectedFailuresException.Failure> listener = settings.onFailure();
        if (listener != null && error != null) {
            UncollectedFailuresException.Failure failure = new UncollectedFailuresException.Failure(item, error);
            engine.later(() -> callbacks.run(() -> listener.accept(failure)));
        }
    }

    /** Under the engine's lock: an accepted item is gone without ever having been sent. */
    void forget(Submission<R> submission) {
        if (submission.epoch != null) {
            submission.epoch.pending--;
        }
        submission.entry = null;
        submission.epoch = null;
    }

    /** Under the engine's lock: ends the flushes and the close that wait for nothing any more. */
    void settle() {
        for (Epoch done = epochs.pollDone(); done != null; done = epochs.pollDone()) {
            Epoch epoch = done;
            engine.later(() -> epoch.report.complete(new FlushReport(epoch.completed, epoch.failed)));
        }
        if (room.items() == 0) {
            progress.rest();
        }
        if (closing && !ended && room.items() == 0) {
            ended = true;
            RuntimeException failures = withGivingUp(untaken.report());
            engine.later(() -> end(failures));
        }
    }

    /** How a writer ends that gave up: with that, and the failures that nobody took. */
    private @Nullable RuntimeException withGivingUp(@Nullable UncollectedFailuresException failures) {
        return broken instanceof GaveUpException gaveUp ? gaveUp.with(failures) : failures;
    }

    /** An exception for each who closes: a caller may hold another one of it. */
    private static RuntimeException again(RuntimeException end) {
        if (end instanceof GaveUpException gaveUp) {
            return gaveUp.again();
        }
        return end instanceof UncollectedFailuresException failures ? failures.again() : end;
    }

    private boolean admit(K key, Entry<K, I, R> entry, @Nullable Waiter waiter) {
        return merge(key, entry) || intake.admit(this, key, entry, waiter);
    }

    private boolean merge(K key, Entry<K, I, R> entry) {
        Objects.requireNonNull(key, "key");
        return settings.coalesce() && intake.merge(this, key, entry);
    }

    private void waitForRoom(Entry<K, I, R> entry, Waiter waiter) {
        Callbacks.beforeWaiting();
        long end = System.nanoTime() + settings.submitTimeout().toNanos();
        while (!waiter.isOver()) {
            long left = end - System.nanoTime();
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                intake.abandon(entry, room -> interrupted());
                break;
            }
            if (left <= 0) {
                intake.abandon(entry, room -> room.full(" within " + settings.submitTimeout()));
                break;
            }
            LockSupport.parkNanos(this, left);
        }
        Throwable refusal = waiter.refusal();
        if (refusal != null) {
            throw Thrown.unchecked(refusal);
        }
    }

    private static WaitInterruptedException interrupted() {
        return new WaitInterruptedException(
                "the thread was interrupted; the item was not accepted", new InterruptedException());
    }

    private CompletableFuture<FlushReport> startFlush() {
        engine.enter();
        try {
            engine.pump().urge(this);
            engine.touch(this);
            return epochs.flush();
        } finally {
            engine.leave();
        }
    }

    private CompletableFuture<@Nullable RuntimeException> startClose() {
        engine.enter();
        try {
            if (!closing) {
                closing = true;
                engine.shutdown().turnAway(this, new ClosedException("the writer is closed"));
                engine.pump().urge(this);
                engine.touch(this);
                engine.later(() -> deadline.update(engine.schedule(
                        settings.closeTimeout(), () -> engine.shutdown().expire(this))));
            }
            return closed;
        } finally {
            engine.leave();
        }
    }

    private void end(@Nullable RuntimeException failures) {
        deadline.dispose();
        exits.closed(this);
        closed.complete(failures);
    }
}
