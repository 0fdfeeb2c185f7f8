package io.stowline.table.simulation;

import io.stowline.outcome.WriteResult;
import io.stowline.table.Submission;
import io.stowline.table.internal.request.EntityVerb;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/** One operation that was handed over: the result that its caller received of it, and what became of it. */
final class SimulatedOperation {

    /** The way of its handover. */
    enum Way {
        OFFERED,
        INTERRUPTED,
        WRITTEN,
        STREAMED,
        IN_TRANSACTION;

        /** Returns whether it was accepted at its handover, and not after a wait for room. */
        boolean isAtOnce() {
            return this == OFFERED || this == INTERRUPTED || this == IN_TRANSACTION;
        }
    }

    /**
     * The request of a caller.
     *
     * @param verb the verb
     * @param key the entity
     * @param ifMatch its version
     * @param text its content
     * @param large the number of large properties
     */
    record Wish(EntityVerb verb, SimulatedKey key, @Nullable String ifMatch, String text, int large) {

        boolean bound() {
            return ifMatch != null && !ifMatch.equals("*");
        }
    }

    final int id;
    final Wish wish;
    final Way way;

    /** The writer, or the transaction. */
    final Object owner;

    boolean coalesces;
    long handedOver;

    /** Every operation of its transaction, itself included. */
    List<SimulatedOperation> together = List.of(this);

    @Nullable
    Submission<WriteResult> submission;

    @Nullable
    Disposable subscription;

    boolean refused;
    boolean detached;
    boolean untaken;

    /** The time at which a cancel promised that it would never be sent, or -1. */
    long neverFrom = -1;

    int results;
    long endedAt = -1;

    @Nullable
    WriteResult written;

    @Nullable
    Throwable error;

    final List<SimulatedAttempt> attempts = new ArrayList<>();
    final List<Event> applied = new ArrayList<>();
    final Set<Refusal> refusals = new LinkedHashSet<>();

    SimulatedOperation(int id, Wish wish, Way way, Object owner) {
        this.id = id;
        this.wish = wish;
        this.way = way;
        this.owner = owner;
    }

    /** Returns whether its caller took it back, so that its result shows nothing about its outcome. */
    boolean isGivenUp() {
        return detached || error instanceof CancellationException;
    }

    void ended(@Nullable WriteResult value, @Nullable Throwable failure, long now) {
        results++;
        written = value;
        error = failure;
        endedAt = now;
    }

    @Override
    public String toString() {
        return "#" + id + " " + wish.verb() + " " + wish.key() + (wish.ifMatch() == null ? "" : " if " + wish.ifMatch())
                + " " + way + " of " + owner;
    }
}
