package io.stowline.batching;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The one lock of all lanes and writers, and what runs when it is left.
 *
 * <p>Between {@link #enter} and {@link #leave} there is only bookkeeping; whatever calls out is handed to
 * {@link #later} and runs when the lock is left.
 */
final class Engine<K, I, R> {

    /** What one stay under the lock leaves to be done, mostly. */
    private static final int ACTIONS = 4;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Named, Lane<K, I, R>> lanes = new HashMap<>();

    /** Lanes that have nothing but reserved entities. */
    private final Map<Named, Lane<K, I, R>> resting = new HashMap<>();

    private final Pump<K, I, R> pump;
    private final Ledger<K, I, R> ledger;
    private final Settlement<K, I, R> settlement;
    private final BatchSender<K, I, R> sender;
    private final BatchDescriptor<I> descriptor;
    private final Scheduler timer;
    private final Callbacks callbacks;
    private final LaneSizes<K> sizes;
    private final ExitWatch exits;
    private final Patience<K, I, R> patience = new Patience<>(this);
    private final Deadlines<K, I, R> deadlines;
    private final List<Batcher<K, I, R>> touched = new ArrayList<>();
    private final Set<Batcher<K, I, R>> crowded = new LinkedHashSet<>();
    private final Shutdown<K, I, R> shutdown;
    private @Nullable ArrayDeque<Runnable> actions;
    private long laneIds;

    Engine(Lanes.Builder<K, I, R> given) {
        this.sender = given.sender;
        this.descriptor = given.descriptor;
        this.timer = given.timer;
        this.exits = given.exits;
        this.callbacks = Callbacks.on(given.callbacks);
        this.pump = new Pump<>(this, given);
        this.shutdown = new Shutdown<>(this);
        this.ledger = new Ledger<>(this);
        Successors<K, I, R> successors = new Successors<>(ledger);
        this.deadlines = new Deadlines<>(this, successors);
        this.sizes = new LaneSizes<>(given.limits.maxItems());
        this.settlement = new Settlement<>(this, successors);
    }

    BatchSender<K, I, R> sender() {
        return sender;
    }

    BatchDescriptor<I> descriptor() {
        return descriptor;
    }

    Callbacks callbacks() {
        return callbacks;
    }

    Pump<K, I, R> pump() {
        return pump;
    }

    Ledger<K, I, R> ledger() {
        return ledger;
    }

    Deadlines<K, I, R> deadlines() {
        return deadlines;
    }

    ExitWatch exits() {
        return exits;
    }

    Patience<K, I, R> patience() {
        return patience;
    }

    LaneSizes<K> sizes() {
        return sizes;
    }

    void enter() {
        lock.lock();
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
            Trampoline.run(due);
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

    Shutdown<K, I, R> shutdown() {
        return shutdown;
    }

    /** Whether any writer has somebody waiting for its buffer. */
    boolean isShort() {
        for (Batcher<K, I, R> writer : crowded) {
            if (writer.room().isShort()) {
                return true;
            }
        }
        return false;
    }

    Lane<K, I, R> lane(K key) {
        Named name = new Named(key);
        Lane<K, I, R> lane = lanes.get(name);
        if (lane == null) {
            Lane<K, I, R> rested = resting.get(name);
            if (name.failure() != null) {
                throw name.failure();
            }
            lane = rested == null ? new Lane<>(key, name, ++laneIds, sizes.begin(name)) : rested;
            resting.remove(lane.name, lane);
            lanes.put(lane.name, lane);
        }
        return lane;
    }

    @Nullable
    Lane<K, I, R> existing(K key) {
        return lanes.get(new Named(key));
    }

    void evict(Lane<K, I, R> lane) {
        if (!lane.isIdle()) {
            return;
        }
        boolean was = lanes.remove(lane.name, lane);
        if (lane.isReserved()) {
            resting.put(lane.name, lane);
        } else if (resting.remove(lane.name, lane) || was) {
            sizes.end(lane);
        }
    }

    int laneCount() {
        return lanes.size();
    }

    long unknownParts() {
        return settlement.unknownParts();
    }

    /** Has a writer's waiters, flushes and close looked at before the lock is left. */
    void touch(Batcher<K, I, R> writer) {
        if (!writer.touched) {
            writer.touched = true;
            touched.add(writer);
        }
    }

    List<Batcher<K, I, R>> crowded() {
        return new ArrayList<>(crowded);
    }

    void crowd(Batcher<K, I, R> writer) {
        crowded.add(writer);
    }

    void forEachQueued(Consumer<Node<K, I, R>> action) {
        for (Lane<K, I, R> lane : new ArrayList<>(lanes.values())) {
            lane.forEach(safely(action));
        }
    }

    void forEachInFlight(Consumer<Node<K, I, R>> action) {
        flights().forEach(flight -> forEachOf(flight, action));
    }

    private void forEachOf(Flight<K, I, R> flight, Consumer<Node<K, I, R>> action) {
        if (flight.load instanceof Chunk<K, I, R> chunk) {
            chunk.entries().forEach(safely(action));
        } else if (flight.load instanceof Group<K, I, R> group) {
            safely(action).accept(group);
        }
    }

    /** What goes wrong with one item leaves the others alone. */
    private Consumer<Node<K, I, R>> safely(Consumer<Node<K, I, R>> action) {
        return node -> {
            try {
                action.accept(node);
            } catch (Throwable defect) {
                later(() -> callbacks.threw("the end of an item", defect));
            }
        };
    }

    /** Gives up on the senders that have not answered at the deadline. */
    void abandonFlights() {
        for (Flight<K, I, R> flight : flights()) {
            later(flight::cancel);
            later(flight::releaseTicket);
            pump.ended(flight);
            pump.arm(flight.lane);
        }
    }

    private List<Flight<K, I, R>> flights() {
        List<Flight<K, I, R>> flights = new ArrayList<>();
        for (Lane<K, I, R> lane : lanes.values()) {
            if (lane.flight != null) {
                flights.add(lane.flight);
            }
        }
        return flights;
    }

    void end(Flight<K, I, R> flight, BatchReply<R> reply) {
        enter();
        try {
            if (!flight.ended) {
                later(flight::releaseTicket);
                pump.ended(flight);
                settle(flight, reply);
                pump.arm(flight.lane);
            }
        } finally {
            leave();
        }
    }

    /** An error of the settlement fails what it has left over. */
    private void settle(Flight<K, I, R> flight, BatchReply<R> reply) {
        try {
            settlement.settle(flight, reply);
        } catch (Throwable defect) {
            later(() -> callbacks.threw("the settlement of a batch", defect));
            forEachOf(flight, node -> {
                if (node.state == Node.State.IN_FLIGHT) {
                    ledger.fail(node, defect);
                }
            });
        }
    }

    /** Notes whether a batch in flight is on the wire. */
    void onWire(Flight<K, I, R> flight, boolean onWire) {
        enter();
        try {
            pump.onWire(flight, onWire);
        } finally {
            leave();
        }
    }

    void admitted(TicketRequest<K, I, R> request, Admission.Ticket ticket) {
        enter();
        try {
            pump.answered(request);
            Flight<K, I, R> flight = pump.dispatch(ticket);
            later(flight == null ? ticket::release : flight::send);
        } finally {
            leave();
        }
    }

    void refused(TicketRequest<K, I, R> request, Throwable error) {
        enter();
        try {
            pump.answered(request);
            Flight<K, I, R> flight = pump.dispatch(() -> {});
            if (flight != null) {
                later(() -> end(flight, new BatchReply.Failed<>(error)));
            }
        } finally {
            leave();
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
        schedule(Duration.ofNanos(Math.max(0, due - now())), () -> timeOver(due));
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

    private static void aside(Runnable task) {
        if (Schedulers.isInNonBlockingThread()) {
            Callbacks.onThreadsOnDemand(task);
        } else {
            task.run();
        }
    }

    private void timeOver(long due) {
        enter();
        try {
            pump.timeOver(due, Math.max(due, now()));
        } finally {
            leave();
        }
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
            Batcher<K, I, R> writer = touched.get(i);
            serve(writer);
            writer.settle();
            writer.touched = false;
        }
        touched.clear();
        pump.settle();
        shutdown.settle();
    }

    private void serve(Batcher<K, I, R> writer) {
        Room<K, I, R> room = writer.room();
        boolean wasShort = room.isShort();
        room.serve(ledger::accept);
        for (Entry<K, I, R> stuck = room.pollStuck(); stuck != null; stuck = room.pollStuck()) {
            ledger.leftLine(stuck, room.full(" that a callback could wait for"));
        }
        if (room.isShort() && !wasShort) {
            pump.urge(writer);
        }
        if (!room.hasWaiting()) {
            crowded.remove(writer);
        }
    }
}
