package io.stowline.queue.internal.consumer.lease;

import io.stowline.queue.QueueConsumer.FailureAction;
import org.jspecify.annotations.Nullable;

/** The failure of a message's handling, and its consequence. Thread-safe. */
public final class HandlingFailure {

    private volatile @Nullable Throwable cause;
    private volatile FailureAction action = FailureAction.RETRY;
    private volatile boolean unreadable;

    /** Returns the failure although the handler returned, or else the error of the handler; {@code null} without both. */
    public @Nullable Throwable or(@Nullable Throwable thrown) {
        Throwable known = cause;
        return known == null ? thrown : known;
    }

    /** Returns whether no handler can take the message, since its body cannot be read. */
    public boolean isUnreadable() {
        return unreadable;
    }

    /** Returns the consequence. */
    public FailureAction action() {
        return action;
    }

    /** Sets the consequence. */
    public void judge(FailureAction judged) {
        action = judged;
    }

    /** Notes that the handling fails, whatever its handler returns. */
    public void fail(Throwable error) {
        cause = error;
    }

    /** Notes that no handler can ever handle the message. */
    public void reject(Throwable error) {
        unreadable = true;
        cause = error;
    }
}
