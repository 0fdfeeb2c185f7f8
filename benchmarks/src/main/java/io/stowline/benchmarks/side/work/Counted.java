package io.stowline.benchmarks.side.work;

import java.util.concurrent.Callable;

/** A task with the number of its requests. */
public final class Counted implements Task {

    private final Task task;
    private final Callable<Long> requests;

    /**
     * Counts.
     *
     * @param task what is done
     * @param requests how many the server has received so far
     */
    public Counted(Task task, Callable<Long> requests) {
        this.task = task;
        this.requests = requests;
    }

    @Override
    public Done run(long nanos) throws Exception {
        long before = requests.call();
        Done done = task.run(nanos);
        return new Done(done.items(), done.medianMicros(), requests.call() - before);
    }
}
