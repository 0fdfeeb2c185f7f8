package io.stowline.queue.internal.consumer;

import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import org.jspecify.annotations.Nullable;

/** A message of a consumer from its delivery until neither a handler nor an ending concerns it. Only in the serial executor. */
final class InHandMessage {

    private final LeaseKeeper keeper;
    private @Nullable HandlerRun run;
    private boolean decided;
    private boolean over;
    private boolean counted;
    private @Nullable InHandMessage next;
    private @Nullable String reason;
    private @Nullable Throwable failure;

    InHandMessage(LeaseKeeper keeper) {
        this.keeper = keeper;
    }

    LeaseKeeper keeper() {
        return keeper;
    }

    /** Returns whether its body is in a blob. */
    boolean hasBlob() {
        MessageEnvelope envelope = keeper.envelope();
        return envelope != null && envelope.claim() != null;
    }

    /** Returns the handler that has it, or {@code null}. */
    @Nullable
    HandlerRun run() {
        return run;
    }

    void run(@Nullable HandlerRun handler) {
        run = handler;
    }

    /** Decides on an end; returns whether it is the first decision. */
    boolean decide() {
        boolean first = !decided;
        decided = true;
        return first;
    }

    /** Returns whether it has ended or is lost. */
    boolean isOver() {
        return over;
    }

    void end() {
        over = true;
    }

    /** Counts a result; returns whether it is the first one of the delivery. */
    boolean count() {
        boolean first = !counted;
        counted = true;
        return first;
    }

    /** Returns whether the delivery has a result. */
    boolean isCounted() {
        return counted;
    }

    /** Notes the failure of its handling. */
    void because(@Nullable Throwable cause) {
        failure = cause;
    }

    /** Notes why it is poison. */
    void poison(String why, @Nullable Throwable cause) {
        reason = why;
        failure = cause;
    }

    /** Returns why it is poison, or {@code null}. */
    @Nullable
    String reason() {
        return reason;
    }

    /** Returns the failure of its handling, or {@code null}. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Returns a later delivery of the message, which waits for the end of this one; {@code null} if there is none. */
    @Nullable
    InHandMessage next() {
        return next;
    }

    void next(@Nullable InHandMessage later) {
        next = later;
    }
}
