package io.stowline.queue.internal.consumer;

import io.stowline.observe.ConsumerEvent.Result;

/**
 * What became of the messages that a consumer held when it was stopped.
 *
 * @param completed how many were handled
 * @param failed how many failed: hidden for a while, or poison
 * @param released how many were given back without having been handled
 * @param abandoned how many were left to their leases
 */
public record StopCounts(long completed, long failed, long released, long abandoned) {

    static StopCounts of(ConsumerCounters counters) {
        return new StopCounts(
                counters.of(Result.COMPLETED),
                counters.of(Result.RETRIED)
                        + counters.of(Result.POISONED)
                        + counters.of(Result.POISON_FAILED)
                        + counters.of(Result.LOST),
                counters.of(Result.RELEASED),
                counters.of(Result.ABANDONED));
    }

    StopCounts since(StopCounts before) {
        return new StopCounts(
                completed - before.completed,
                failed - before.failed,
                released - before.released,
                abandoned - before.abandoned);
    }

    /** With messages that had no result yet. */
    StopCounts abandoning(long more) {
        return new StopCounts(completed, failed, released, abandoned + more);
    }
}
