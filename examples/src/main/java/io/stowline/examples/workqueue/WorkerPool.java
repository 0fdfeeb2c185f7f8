package io.stowline.examples.workqueue;

import io.stowline.examples.shared.JobFailedException;
import io.stowline.examples.shared.ScratchFolder;
import io.stowline.examples.workqueue.QueueWorker.Setup;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The processes that work on the jobs. Used by one thread. */
final class WorkerPool implements AutoCloseable {

    // What a process needs beside the time for its handlers.
    private static final Duration END = QueueWorker.STOP.plusSeconds(10);

    private final String connectionString;
    private final Setup setup;
    private final JobTracker tracker;
    private final ScratchFolder logs;
    private final Map<Integer, WorkerJvm> workers = new TreeMap<>();
    private int started;

    private WorkerPool(String connectionString, Setup setup, JobTracker tracker, ScratchFolder logs) {
        this.connectionString = connectionString;
        this.setup = setup;
        this.tracker = tracker;
        this.logs = logs;
    }

    /**
     * Makes an empty pool.
     *
     * @param connectionString the account
     * @param setup what each worker needs to know, but its number
     * @param tracker takes the events
     * @throws IOException if the folder for the logs of workers cannot be made
     */
    static WorkerPool open(String connectionString, Setup setup, JobTracker tracker) throws IOException {
        return new WorkerPool(connectionString, setup, tracker, ScratchFolder.create("stowline-workqueue"));
    }

    /** Starts another worker, and returns a line about it. */
    String start() {
        int number = ++started;
        try {
            WorkerJvm worker = WorkerJvm.start(
                    setup.numbered(number), connectionString, logs.path().resolve("worker" + number + ".log"));
            workers.put(number, worker);
            tracker.started(number, worker.pid(), setup.handlers());
            worker.listen(event -> tracker.accept(number, event));
            return "Worker " + number + " starts as process " + worker.pid();
        } catch (IOException e) {
            throw new JobFailedException("worker " + number + " cannot be started: " + e.getMessage(), e);
        }
    }

    /** Kills a worker in the middle of its work, and returns a line about it. */
    String kill(int number) throws InterruptedException {
        WorkerJvm worker = workers.remove(number);
        if (worker == null) {
            throw new IllegalArgumentException("no worker " + number);
        }
        long time = System.nanoTime();
        worker.kill();
        tracker.killed(number, time);
        return "Worker " + number + " is killed; its jobs stay hidden for the rest of their leases";
    }

    /** Throws if a worker has ended that should not have. */
    void check() {
        workers.forEach((number, worker) -> {
            if (!worker.isAlive()) {
                throw new JobFailedException("worker " + number + " ended with " + worker.ending());
            }
        });
    }

    /** Stops all workers at once, and returns what was not as it should be. */
    List<String> stop() throws InterruptedException {
        List<String> differences = new ArrayList<>();
        workers.values().forEach(WorkerJvm::stop);
        long deadline = System.nanoTime() + END.toNanos();
        for (Map.Entry<Integer, WorkerJvm> entry : workers.entrySet()) {
            if (!entry.getValue().awaitEnd(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))) {
                differences.add("worker " + entry.getKey() + " ended with "
                        + entry.getValue().ending());
            }
        }
        workers.clear();
        return differences;
    }

    @Override
    public void close() throws IOException {
        workers.values().forEach(WorkerJvm::close);
        logs.close();
    }
}
