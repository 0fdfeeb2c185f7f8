package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.BatchDescriptor;
import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchSender;
import io.stowline.batching.internal.callback.CallbackRunner;
import io.stowline.batching.internal.engine.LaneScheduler.PermitRequest;
import io.stowline.batching.internal.writer.BatcherErrors;
import io.stowline.batching.internal.writer.BatcherSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The one lock of all lanes and writers, and what runs when it is left.
 *
 * <p>Between {@link #enter} and {@link #leave} there is only bookkeeping; whatever calls out is handed to
 * {@link #later} and runs when the lock is left.
 */
final class EngineLock<K, I, R> {

    /** The usual number of actions that one hold of the lock leaves. */
    private static final int ACTIONS = 4;

    private final ReentrantLock lock = new ReentrantLock();
    private final LaneScheduler<K, I, R> scheduler;
    private final ItemLifecycle<K, I, R> lifecycle;
    private final ReplySettlement<K, I, R> settlement;
    private final int maxBytes;
    private final Submitter<K, I, R> submitter;
    private final BatchSender<K, I, R> sender;
    private final BatchDescriptor<I> descriptor;
    private final Scheduler timer;
    private final CallbackRunner callbacks;
    private final BatcherErrors errors;
    private final LaneTable<K, I, R> lanes;
    private final OpenWriterWarning warning;
    private final GiveUpTimes<K, I, R> giveUpTimes = new GiveUpTimes<>(this);
    private final DeliveryDeadlines<K, I, R> deadlines;
    private final Disposable.Composite timers = Disposables.composite();
    private final List<EngineBatcher<K, I, R>> touched = new ArrayList<>();
    private final Set<EngineBatcher<K, I, R>> crowded = new LinkedHashSet<>();
    private final EngineShutdown<K, I, R> shutdown;
    private @Nullable ArrayDeque<Runnable> actions;

    /** Writers with a submit that waits for their buffers. */
    private int shortWriters;

    /** The clock's reading during this hold of the lock; 0 before the first. */
    private long lockedAt;

    EngineLock(BatchingEngine.Builder<K, I, R> given) {
        this.maxBytes = given.maxBytes;
        this.lanes = new LaneTable<>(this, given.maxItems);
        this.submitter = new Submitter<>(this, given);
        this.sender = given.sender;
        this.descriptor = given.descriptor;
        this.timer = given.timer;
        this.warning = given.warning;
        this.errors = Objects.requireNonNull(given.errors, "errors");
        this.callbacks = Objects.requireNonNull(given.callbacks, "callbacks");
        this.scheduler = new LaneScheduler<>(this, given);
        this.shutdown = new EngineShutdown<>(this);
        this.lifecycle = new ItemLifecycle<>(this);
        this.deadlines = new DeliveryDeadlines<>(this);
        this.settlement = new ReplySettlement<>(this);
    }

    /** Returns a new writer over the lanes of this engine. */
    EngineBatcher<K, I, R> batcher(BatcherSettings settings) {
        if (settings.bufferBytes() < maxBytes) {
            throw new IllegalArgumentException("bufferBytes must be at least the bytes of a batch, " + maxBytes
                    + ", but was " + settings.bufferBytes());
        }
        locked(shutdown::refuse);
        EngineBatcher<K, I, R> writer = new EngineBatcher<>(
                this, submitter, settings, new WriterBuffer<>(settings, maxBytes, more -> shortWriters += more));
        if (settings.warnAtExit()) {
            warning.opened(writer);
        }
        return writer;
    }

    Submitter<K, I, R> submitter() {
        return submitter;
    }

    BatchSender<K, I, R> sender() {
        return sender;
    }

    BatchDescriptor<I> descriptor() {
        return descriptor;
    }

    CallbackRunner callbacks() {
        return callbacks;
    }

    BatcherErrors errors() {
        return errors;
    }

    LaneScheduler<K, I, R> scheduler() {
        return scheduler;
    }

    ItemLifecycle<K, I, R> lifecycle() {
        return lifecycle;
    }

    DeliveryDeadlines<K, I, R> deadlines() {
        return deadlines;
    }

    OpenWriterWarning warning() {
        return warning;
    }

    GiveUpTimes<K, I, R> giveUpTimes() {
        return giveUpTimes;
    }

    LaneTable<K, I, R> lanes() {
        return lanes;
    }

    void enter() {
        lock.lock();
        lockedAt = 0;
    }

    void leave() {
        ArrayDeque<Runnable> due;
        try {
            settleSafely();
            due = actions;
            actions = null;
        } finally {
            lock.unlock();
        }
        if (due != null) {
            callbacks.runActions(due);
        }
    }

    /** Does bookkeeping in the lock, off the paths that each item takes. */
    void locked(Runnable bookkeeping) {
        enter();
        try {
            bookkeeping.run();
        } finally {
            leave();
        }
    }

    /** Has something run when the lock is left. */
    void later(Runnable action) {
        if (actions == null) {
            actions = new ArrayDeque<>(ACTIONS);
        }
        actions.add(action);
    }

    long now() {
        return timer.now(TimeUnit.NANOSECONDS);
    }

    /**
     * Returns the time of one hold of the lock: a batch that ends reads the clock once, and not for each of its items.
     */
    long timeOfHold() {
        if (lockedAt == 0) {
            lockedAt = now();
        }
        return lockedAt;
    }

    EngineShutdown<K, I, R> shutdown() {
        return shutdown;
    }

    /** Returns whether any writer has a submit that waits for its buffer. */
    boolean anyShort() {
        return shortWriters > 0;
    }

    long unknownParts() {
        return settlement.unknownParts();
    }

    /** Has a writer's waiters, flushes and close looked at before the lock is left. */
    void touch(EngineBatcher<K, I, R> writer) {
        if (!writer.touched) {
            writer.touched = true;
            touched.add(writer);
        }
    }

    List<EngineBatcher<K, I, R>> crowded() {
        return new ArrayList<>(crowded);
    }

    void crowd(EngineBatcher<K, I, R> writer) {
        crowded.add(writer);
    }

    void end(InFlightBatch<K, I, R> flight, BatchReply<R> reply) {
        enter();
        try {
            if (!flight.ended) {
                later(flight::releasePermit);
                scheduler.ended(flight);
                settle(flight, reply);
                scheduler.arm(flight.lane);
            }
        } finally {
            leave();
        }
    }

    /** An error of the settlement fails the items that it has not settled. */
    private void settle(InFlightBatch<K, I, R> flight, BatchReply<R> reply) {
        try {
            settlement.settle(flight, reply);
        } catch (Throwable defect) {
            later(() -> callbacks.threw("the settlement of a batch", defect));
            lanes.forEach(flight, node -> {
                if (node.state == QueueNode.NodeState.IN_FLIGHT) {
                    lifecycle.fail(node, defect);
                }
            });
        }
    }

    /** Notes whether a batch in flight is on the wire. */
    void onWire(InFlightBatch<K, I, R> flight, boolean onWire) {
        enter();
        try {
            scheduler.onWire(flight, onWire);
        } finally {
            leave();
        }
    }

    /** Notes that a batch in flight has had no response for long. */
    void fallSilent(InFlightBatch<K, I, R> flight) {
        locked(() -> scheduler.fallSilent(flight));
    }

    void admitted(PermitRequest<K, I, R> request, Disposable permit) {
        enter();
        try {
            scheduler.requestEnded(request);
            InFlightBatch<K, I, R> flight = scheduler.dispatch(permit);
            later(flight == null ? permit::dispose : flight::send);
        } finally {
            leave();
        }
    }

    void refused(PermitRequest<K, I, R> request, Throwable error) {
        locked(() -> {
            scheduler.requestEnded(request);
            InFlightBatch<K, I, R> flight = scheduler.dispatch(() -> {});
            if (flight != null) {
                later(() -> end(flight, new BatchReply.BatchFailed<>(error)));
            }
        });
    }

    /** Does bookkeeping on which no lane, timer or barrier depends, and returns its result. */
    boolean note(BooleanSupplier bookkeeping) {
        lock.lock();
        try {
            return bookkeeping.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    /** Reads a gauge. */
    long read(LongSupplier gauge) {
        lock.lock();
        try {
            return gauge.getAsLong();
        } finally {
            lock.unlock();
        }
    }

    void setTimer(long due) {
        Disposable.Swap alarm = Disposables.swap();
        timers.add(alarm);
        alarm.update(schedule(Duration.ofNanos(Math.max(0, due - now())), () -> {
            timers.remove(alarm);
            timeOver(due);
        }));
    }

    /** Ends its timers, which would keep it until their times. */
    void endTimers() {
        timers.dispose();
    }

    /**
     * Sets a timer; without a scheduler that takes it, the time is over at once. On a thread that must not block, such as the
     * one timer of a client, the task goes to another one: it encodes and sends batches.
     */
    Disposable schedule(Duration delay, Runnable task) {
        try {
            return timer.schedule(() -> aside(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException gone) {
            task.run();
            return () -> {};
        }
    }

    private void aside(Runnable task) {
        if (Schedulers.isInNonBlockingThread()) {
            callbacks.runOnDemand(task);
        } else {
            task.run();
        }
    }

    private void timeOver(long due) {
        locked(() -> scheduler.timeOver(due, Math.max(due, now())));
    }

    private void settleSafely() {
        try {
            settle();
        } catch (Throwable defect) {
            touched.forEach(writer -> writer.touched = false);
            touched.clear();
            later(() -> callbacks.threw("the bookkeeping of the batching engine", defect));
        }
    }

    private void settle() {
        for (int i = 0; i < touched.size(); i++) {
            EngineBatcher<K, I, R> writer = touched.get(i);
            serve(writer);
            writer.settle();
            writer.touched = false;
        }
        touched.clear();
        scheduler.settle();
        shutdown.settle();
    }

    private void serve(EngineBatcher<K, I, R> writer) {
        WriterBuffer<K, I, R> buffer = writer.buffer();
        boolean wasShort = buffer.isShort();
        buffer.serve(lifecycle::accept);
        buffer.serveRequested(lifecycle::accept);
        for (BufferedItem<K, I, R> stuck = buffer.pollStuck(); stuck != null; stuck = buffer.pollStuck()) {
            lifecycle.refuseWaiting(stuck, errors.bufferFull(buffer.full(" that a callback could wait for")));
        }
        if (buffer.isShort() && !wasShort) {
            scheduler.urge(writer);
        }
        if (!buffer.hasWaiting()) {
            crowded.remove(writer);
        }
    }
}
