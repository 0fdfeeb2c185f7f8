package io.stowline.examples.workqueue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of the work at one moment.
 *
 * @param seconds the time since its beginning
 * @param jobs how many jobs there are
 * @param done how many are done
 * @param poisoned how many are in the poison queue
 * @param workers the workers, by their numbers
 */
record TrackerView(double seconds, int jobs, int done, int poisoned, List<WorkerRow> workers) {

    /** The state of a worker. */
    enum State {
        STARTING,
        WORKING,
        STOPPED,
        KILLED
    }

    /**
     * One worker.
     *
     * @param number its number
     * @param pid its process
     * @param state what it does
     * @param slots the jobs of its handlers; null for a handler that waits for one
     * @param done how many jobs it has done
     * @param failed how often a handler of it threw
     * @param takenOver how many jobs it has taken over from a killed worker
     */
    record WorkerRow(
            int number, long pid, State state, List<@Nullable Slot> slots, int done, int failed, int takenOver) {}

    /**
     * A job that a handler has, or had when its worker was killed.
     *
     * @param job the number of the job
     * @param delivery its delivery, 1 for the first
     */
    record Slot(int job, long delivery) {}
}
