package io.stowline.examples.workqueue;

import io.stowline.examples.workqueue.TrackerView.Slot;
import io.stowline.examples.workqueue.TrackerView.State;
import io.stowline.examples.workqueue.TrackerView.WorkerRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The workers with their jobs, and the outcomes of the jobs, by the events of the workers. Thread-safe. */
final class JobTracker {

    private static final double NANOS = 1e9;

    private final int jobs;
    private final LongSupplier nanoTime;
    private final Map<Integer, Worker> workers = new TreeMap<>();
    private final BitSet done = new BitSet();
    private final BitSet poisoned = new BitSet();
    /** Jobs whose last run failed or lost its message. */
    private final BitSet givenUp = new BitSet();

    private final List<Long> takeOvers = new ArrayList<>();
    private final long start;
    private @Nullable Long killed;
    private long lastEvent;
    private int retried;
    private int redelivered;
    private int repeated;

    /** The state of one worker. */
    private static final class Worker {
        private final long pid;
        private final List<@Nullable Slot> slots;
        private State state = State.STARTING;
        private int done;
        private int failed;
        private int takenOver;

        Worker(long pid, int handlers) {
            this.pid = pid;
            this.slots = new ArrayList<>(Collections.nCopies(handlers, null));
        }

        void begin(Slot slot) {
            int free = slots.indexOf(null);
            if (free >= 0) {
                slots.set(free, slot);
            } else {
                slots.add(slot);
            }
        }

        void end(int job) {
            slots.replaceAll(slot -> slot != null && slot.job() == job ? null : slot);
        }
    }

    /**
     * The counts of all deliveries.
     *
     * @param retried how many followed a failure
     * @param takenOver how many were those of a killed worker
     * @param redelivered how many more were not the first of their job
     * @param repeated how many runs found the result of another run
     * @param firstTakeOver how long after the kill the first job was taken over, in seconds
     * @param lastTakeOver how long after the kill the last job was taken over, in seconds
     */
    record Deliveries(
            int retried, int takenOver, int redelivered, int repeated, double firstTakeOver, double lastTakeOver) {}

    JobTracker(int jobs, LongSupplier nanoTime) {
        this.jobs = jobs;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
        this.lastEvent = start;
    }

    synchronized void started(int worker, long pid, int handlers) {
        workers.put(worker, new Worker(pid, handlers));
    }

    /** Takes an event of a worker that was started. */
    synchronized void accept(int number, WorkerEvent event) {
        Worker worker = worker(number);
        lastEvent = nanoTime.getAsLong();
        switch (event.kind()) {
            case READY -> worker.state = State.WORKING;
            case STARTED -> begin(worker, new Slot(event.job(), event.delivery()));
            case DONE -> {
                worker.end(event.job());
                worker.done++;
                done.set(event.job());
            }
            case REPEATED -> {
                worker.end(event.job());
                repeated++;
                done.set(event.job());
            }
            case FAILED -> {
                worker.end(event.job());
                worker.failed++;
                givenUp.set(event.job());
            }
            case LOST -> {
                worker.end(event.job());
                givenUp.set(event.job());
            }
            case STOPPED -> worker.state = State.STOPPED;
        }
    }

    private Worker worker(int number) {
        Worker worker = workers.get(number);
        if (worker == null) {
            throw new IllegalArgumentException("no worker " + number);
        }
        return worker;
    }

    private void begin(Worker worker, Slot slot) {
        if (slot.delivery() > 1) {
            if (givenUp.get(slot.job())) {
                retried++;
            } else if (killed != null) {
                worker.takenOver++;
                takeOvers.add(lastEvent - killed);
            } else {
                redelivered++;
            }
        }
        givenUp.clear(slot.job());
        workers.values().forEach(other -> other.end(slot.job()));
        worker.begin(slot);
    }

    /** Notes that a worker was killed at a time, after its last event. Its jobs stay in its row until others have them. */
    synchronized void killed(int number, long time) {
        worker(number).state = State.KILLED;
        killed = time;
    }

    /** Notes jobs that are in the poison queue. */
    synchronized void poisoned(Collection<Integer> found) {
        found.forEach(poisoned::set);
    }

    /** Returns whether all workers poll. */
    synchronized boolean isReady() {
        return workers.values().stream().noneMatch(worker -> worker.state == State.STARTING);
    }

    /** Returns whether each job is done or poisoned. */
    synchronized boolean isComplete() {
        BitSet ended = (BitSet) done.clone();
        ended.or(poisoned);
        return ended.cardinality() == jobs;
    }

    synchronized int done() {
        return done.cardinality();
    }

    /** Returns whether a worker has jobs in its handlers. */
    synchronized boolean isBusy(int number) {
        return worker(number).slots.stream().anyMatch(slot -> slot != null);
    }

    /** Returns the time since the last event. */
    synchronized Duration sinceLastEvent() {
        return Duration.ofNanos(nanoTime.getAsLong() - lastEvent);
    }

    synchronized TrackerView view() {
        List<WorkerRow> rows = new ArrayList<>();
        workers.forEach((number, worker) -> rows.add(new WorkerRow(
                number,
                worker.pid,
                worker.state,
                Collections.unmodifiableList(new ArrayList<>(worker.slots)),
                worker.done,
                worker.failed,
                worker.takenOver)));
        return new TrackerView(
                (nanoTime.getAsLong() - start) / NANOS, jobs, done.cardinality(), poisoned.cardinality(), rows);
    }

    synchronized Deliveries deliveries() {
        return new Deliveries(
                retried,
                takeOvers.size(),
                redelivered,
                repeated,
                takeOvers.stream().mapToLong(Long::longValue).min().orElse(0) / NANOS,
                takeOvers.stream().mapToLong(Long::longValue).max().orElse(0) / NANOS);
    }
}
