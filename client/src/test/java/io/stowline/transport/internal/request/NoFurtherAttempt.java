package io.stowline.transport.internal.request;

import io.stowline.retry.internal.engine.Verdict;
import java.time.Duration;

/** Control that wants no attempt after the first one. */
public final class NoFurtherAttempt implements AttemptControl {

    /** Returns the options of a batch with this control. */
    public static BatchOptions batch() {
        return new BatchOptions(null, Duration.ofMinutes(1), false, new NoFurtherAttempt());
    }

    @Override
    public boolean wantsDueAttempt() {
        return false;
    }

    @Override
    public boolean wantsAnother(Verdict verdict, int attempts) {
        return false;
    }

    @Override
    public boolean wantsReadBack() {
        return false;
    }
}
