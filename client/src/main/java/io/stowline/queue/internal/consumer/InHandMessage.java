package io.stowline.queue.internal.consumer;

import org.jspecify.annotations.Nullable;

/** A message of a consumer from its delivery until neither a handler nor an ending concerns it. Only in the serial executor. */
final class InHandMessage {

    private final LeaseKeeper keeper;
    private @Nullable HandlerRun run;
    private boolean decided;
    private boolean over;

    InHandMessage(LeaseKeeper keeper) {
        this.keeper = keeper;
    }

    LeaseKeeper keeper() {
        return keeper;
    }

    /** The handler that has it, or {@code null}. */
    @Nullable
    HandlerRun run() {
        return run;
    }

    void run(@Nullable HandlerRun handler) {
        run = handler;
    }

    /** Whether this is the first decision on how it ends. */
    boolean decide() {
        boolean first = !decided;
        decided = true;
        return first;
    }

    /** Whether it has ended or is lost. */
    boolean isOver() {
        return over;
    }

    void end() {
        over = true;
    }
}
