package io.stowline.retry.internal.gate;

import io.stowline.retry.AttemptEnd.ThrottleScope;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.Permit.PermitSignal;
import io.stowline.retry.internal.timeout.Deadline;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The adaptive gate of an account, with gates before it for the partitions that were throttled lately.
 *
 * <ul>
 *   <li>Throttling of a partition cuts that partition's limit. It cuts the account's when the service reports that the account
 *       is meant, or when three partitions are throttled within one window.
 *   <li>A partition has a limit from its first throttling on, until that has grown back to the account's or nothing of
 *       it was in flight or throttled for 30 windows. Others cost nothing; there are no timers.
 *   <li>The partition's permit comes first: a request that waits for it has no permit of the account.
 *   <li>{@link PermitPriority#SETTLE} requests do not wait for a partition.
 *   <li>A partition that has not responded for long is silent until it does: requests to it take {@link
 *       PermitPriority#SILENT} permits, so that it holds up no other partition.
 *   <li>Requests that name no partition count as one separate partition, which never is silent.
 * </ul>
 *
 * <p>With fixed settings there is the account's gate alone. Safe for use by many threads.
 *
 * @param <K> a partition, compared by {@code equals}
 */
public final class PartitionedGate<K> {

    private final Gate account;
    private final ThrottledPartitions hot;
    private final SilentPartitions<K> silent = new SilentPartitions<>();

    private PartitionedGate(ParallelismSettings settings, Scheduler clock) {
        this.account = Gate.adaptive(settings, clock);
        this.hot = new ThrottledPartitions(account, settings, clock);
    }

    /**
     * Returns a gate for one account.
     *
     * @param settings the bounds of the account's limit; those of a partition are 1 and the same highest one
     * @param clock gives the time; nothing is scheduled on it. Its wall clock should be that of the other clients
     */
    public static <K> PartitionedGate<K> of(ParallelismSettings settings, Scheduler clock) {
        Objects.requireNonNull(settings, "settings");
        return new PartitionedGate<>(settings, clock);
    }

    /** Returns the account's gate. Its permits keep to no partition's limit. */
    public Gate account() {
        return account;
    }

    /**
     * Returns a Mono that requests the partition's permit, if it was throttled lately, and then the account's. It
     * behaves as {@link Gate#acquire}; its permit gives both back. Whether the partition has a limit is looked up now: call it for
     * each attempt.
     *
     * @param partition the partition, or null when the request names none
     * @param priority the class of the request
     * @param deadline when the waiting ends, for both permits
     * @param timer runs the end of a wait; not used when permits are free
     */
    public Mono<Permit> acquire(@Nullable K partition, PermitPriority priority, Deadline deadline, Scheduler timer) {
        Gate first = priority == PermitPriority.SETTLE ? null : hot.gate(partition);
        return PermitMono.of(first, account, ofPartition(partition, priority), deadline, timer);
    }

    /**
     * Takes a permit if nothing has to be waited for: the partition has no separate limit, and the account has a permit free.
     *
     * @param partition the partition, or null when the request names none
     * @param priority the class of the request
     * @return the permit, or null when {@link #acquire} is the way to one
     */
    public @Nullable Permit tryAcquire(@Nullable K partition, PermitPriority priority) {
        boolean limited = priority != PermitPriority.SETTLE && hot.gate(partition) != null;
        if (limited) {
            return null;
        }
        Permit silently = silent.has(partition) ? account.tryAcquire(PermitPriority.SILENT) : null;
        PermitPriority own = ofPartition(partition, priority);
        return silently != null || own == PermitPriority.SILENT ? silently : account.tryAcquire(own);
    }

    /** The line of {@code SETTLE} serves first anyway. */
    private PermitPriority ofPartition(@Nullable K partition, PermitPriority priority) {
        return priority != PermitPriority.SETTLE && silent.has(partition) ? PermitPriority.SILENT : priority;
    }

    /**
     * Notes that an attempt has had no response for long: its permit counts against the others no longer, and its partition is silent.
     *
     * @return whether that is so; false if the permit has ended, or as many are silent as can be
     */
    public boolean fallSilent(Permit permit, @Nullable K partition) {
        boolean fallen = permit.fallSilent();
        if (fallen) {
            silent.add(partition);
        }
        return fallen;
    }

    /** Notes that a partition has responded, with whatever. */
    public void responded(@Nullable K partition) {
        silent.remove(partition);
    }

    /** Returns the number of partitions that have not responded to the last attempt, as far as they are remembered. */
    public int silentPartitions() {
        return silent.size();
    }

    /**
     * Gives the permit back after a response that was throttling. Does nothing when the permit has already been given
     * back.
     *
     * @param permit a permit of {@link #acquire} or of {@link #account()}
     * @param partition the partition of the request, or null when it names none
     * @param kind what was throttled; with {@link ThrottleScope#NONE} the permit is only released
     * @throws IllegalArgumentException if the permit is of another gate
     */
    public void throttled(Permit permit, @Nullable K partition, ThrottleScope kind) {
        Objects.requireNonNull(kind, "kind");
        if (!permit.comesFrom(account)) {
            throw new IllegalArgumentException("permit must be one of this gate but was one of another gate");
        }
        switch (kind) {
            case NONE -> permit.release();
            case ACCOUNT -> permit.throttled();
            case PARTITION -> partitionThrottled(permit, partition);
        }
    }

    private void partitionThrottled(Permit permit, @Nullable K partition) {
        if (permit.end()) {
            boolean spread = hot.throttled(partition, permit);
            permit.leave(spread ? PermitSignal.THROTTLED : PermitSignal.UNKNOWN, PermitSignal.THROTTLED, null);
        }
    }

    /**
     * Returns the number of partitions that have a separate limit.
     *
     * @return the number; some of them may be idle and no longer needed
     */
    public int limitedPartitions() {
        return hot.size();
    }
}
