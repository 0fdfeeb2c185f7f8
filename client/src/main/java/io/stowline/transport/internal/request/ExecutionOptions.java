package io.stowline.transport.internal.request;

import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.engine.RetryQuota;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.internal.account.SecondaryEndpoint;
import io.stowline.transport.internal.http.Standstill;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The execution options of requests: their retries, their deadline and their turn among others. Immutable.
 *
 * @param settings the retry settings of each request
 * @param priority their class at the gate
 * @param whenQuotaEmpty the effect of an empty retry quota
 * @param until the deadline of the operation that they are a part of, or {@code null} if each has the one of the settings
 * @param route where a read goes besides the primary, or {@code null} for to the primary only
 * @param batch the options of queued operations, or {@code null} for direct calls
 * @param standstill counts their time, or {@code null} if all time counts
 */
public record ExecutionOptions(
        RetrySettings settings,
        PermitPriority priority,
        RetryQuota.ExhaustedPolicy whenQuotaEmpty,
        @Nullable Deadline until,
        @Nullable ReadRoute route,
        @Nullable BatchOptions batch,
        @Nullable Standstill standstill) {

    /**
     * Returns the options of a direct call.
     *
     * @param settings how often and how long it is tried
     * @param type how it affects the store
     */
    public static ExecutionOptions direct(RetrySettings settings, OperationType type) {
        RetrySettings own = type == OperationType.READ ? settings.withoutReserve() : settings;
        return new ExecutionOptions(
                own, PermitPriority.NORMAL, RetryQuota.ExhaustedPolicy.REFUSE, null, null, null, null);
    }

    /** Returns the options of a request that ends or prolongs earlier work and therefore goes first, to the primary. */
    public ExecutionOptions settling() {
        return new ExecutionOptions(
                settings, PermitPriority.SETTLE, RetryQuota.ExhaustedPolicy.PACE, until, null, null, standstill);
    }

    /**
     * Returns the options of a write's read-back: first in line, and within the write's deadline, the time reserved for
     * it included.
     */
    public ExecutionOptions within(Deadline deadline) {
        return new ExecutionOptions(
                settings.withoutReserve(),
                PermitPriority.SETTLE,
                RetryQuota.ExhaustedPolicy.PACE,
                deadline,
                null,
                null,
                null);
    }

    /** Returns the options of one of several requests that share the deadline of their call. */
    public ExecutionOptions until(Deadline deadline) {
        return new ExecutionOptions(settings, priority, whenQuotaEmpty, deadline, route, batch, null);
    }

    /**
     * Returns the options of a part of a transfer, of which only the standstill counts: it ends by the deadline of the
     * settings, and each attempt by its time, counted from the last movement.
     *
     * @param counted the part's, from whose waits for admission and movements the time is known
     */
    public ExecutionOptions countingStandstill(Standstill counted) {
        return new ExecutionOptions(
                settings, priority, whenQuotaEmpty, counted.deadline(settings.deadline()), route, batch, counted);
    }

    /** Returns the options of a request that waits behind all others of its service, since no caller waits for it. */
    public ExecutionOptions background() {
        return new ExecutionOptions(
                settings, PermitPriority.BACKGROUND, RetryQuota.ExhaustedPolicy.PACE, until, route, batch, standstill);
    }

    /** Returns the options of a request without a waiting caller: it waits for the retry quota rather than to fail. */
    public ExecutionOptions paced() {
        return new ExecutionOptions(
                settings, priority, RetryQuota.ExhaustedPolicy.PACE, until, route, batch, standstill);
    }

    /**
     * Returns the options of a read that may go to the secondary. Parts of a write are read from the primary again, whatever this sets.
     *
     * @param name the caller's verb
     * @param type its effect on the store
     * @param way its route, or {@code null} for the primary only
     * @throws IllegalArgumentException if it is no read
     */
    public ExecutionOptions routed(String name, OperationType type, @Nullable ReadRoute way) {
        if (way != null && type != OperationType.READ) {
            throw new IllegalArgumentException(name + " is no read: it goes to the primary");
        }
        return priority == PermitPriority.SETTLE
                ? this
                : new ExecutionOptions(settings, priority, whenQuotaEmpty, until, way, batch, standstill);
    }

    /** Returns the options of a request with queued operations, which waits for the retry quota rather than to fail. */
    public ExecutionOptions forBatch(BatchOptions own) {
        Deadline given = own.deadline();
        return new ExecutionOptions(
                settings,
                priority,
                RetryQuota.ExhaustedPolicy.PACE,
                given == null ? until : given,
                route,
                own,
                standstill);
    }

    /** Returns the control of its attempts, or {@code null} if it has none. */
    public @Nullable AttemptControl control() {
        return batch == null ? null : batch.control();
    }

    /** Returns whether the deadline alone ends the retries, and not their number. */
    public boolean untilDeadline() {
        return batch != null && batch.untilDeadline();
    }

    /** Returns whether failed read-backs are worth repeating until the deadline. */
    public boolean persistent() {
        return settings.retries() > 0 || untilDeadline();
    }

    /** Returns the time whose end is the deadline, as errors state it. */
    public Duration time() {
        return batch == null || batch.deadline() == null ? settings.deadline() : batch.time();
    }

    /** Returns the part of the time that counts as used up. */
    public Duration elapsed(Deadline end) {
        return standstill != null ? standstill.age() : time().minus(end.remaining());
    }

    /**
     * Returns how long an operation has taken: the time of a queued one begins with its wait in the lane.
     *
     * @param attempts how long its attempts have taken
     */
    public Duration elapsed(Duration attempts) {
        if (batch == null || batch.deadline() == null || standstill != null) {
            return attempts;
        }
        Duration used = elapsed(batch.deadline());
        return used.compareTo(attempts) > 0 ? used : attempts;
    }

    /** Returns the time by which an attempt must be admitted. */
    public Deadline startBy(Attempt next) {
        return standstill == null ? next.startBy() : standstill.startBy();
    }

    /**
     * Returns the seconds for which the service may work on an attempt that is sent now.
     *
     * @param longest the most seconds that it grants such a request
     * @param now the present time of the timer, in nanoseconds
     */
    public long serverSeconds(Attempt next, long longest, long now, Scheduler timer) {
        return standstill == null
                ? next.serverSecondsAt(now, timer)
                : Math.max(settings.serverTimeout().toSeconds(), longest);
    }

    /** Returns the end of all attempts. */
    public Deadline deadline(Scheduler timer) {
        return until != null ? until : Deadline.in(settings.deadline(), timer);
    }

    /**
     * The route of a read between the primary and the secondary. Only reads on request have one: writes, Get Messages,
     * read-backs and reads for a cache go without, and thereby to the primary (RETRY-10). Immutable.
     *
     * <p>The place where it starts is the one whose response counts. The other is read when that one fails for the
     * moment; a resource that the other refuses may just not have arrived there.
     *
     * @param secondary the read-only copy
     * @param lastSync its last sync time, or {@code null} if the caller does not request it
     * @param startsThere whether the secondary is the place that counts
     * @param stays whether the other place is out of question
     */
    public record ReadRoute(
            SecondaryEndpoint secondary, @Nullable LastSyncTime lastSync, boolean startsThere, boolean stays) {

        /** Returns the route of a read of the secondary only, after which no other place is read. */
        public static ReadRoute alone(SecondaryEndpoint secondary) {
            return new ReadRoute(secondary, null, true, true);
        }

        /** The time up to which a secondary has all writes. */
        @FunctionalInterface
        public interface LastSyncTime {

            /**
             * Returns the time as the service reports it.
             *
             * @return the time, or empty if it is not known; never an error
             */
            Mono<Optional<Instant>> known();
        }
    }
}
