package io.stowline.batching;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a writer has reached so far, and since when it has tried in vain; guarded by the engine's lock. */
final class Progress {

    /** Whether the engine looks after its patience. */
    boolean watched;

    private final @Nullable Duration giveUpAfter;
    private int flights;
    private long tryingSince = Lane.NEVER;
    private long succeeded;
    private long failed;
    private @Nullable Throwable last;

    Progress(@Nullable Duration giveUpAfter) {
        this.giveUpAfter = giveUpAfter;
    }

    void dispatched(long now) {
        flights++;
        if (tryingSince == Lane.NEVER) {
            tryingSince = now;
        }
    }

    void landed() {
        flights--;
    }

    /** The service has answered for an item; what is in flight besides has begun its time anew. */
    void answered(long now) {
        tryingSince = flights > 0 ? now : Lane.NEVER;
    }

    /** There is nothing to be delivered, so that there is nothing to lose patience with. */
    void rest() {
        if (flights == 0) {
            tryingSince = Lane.NEVER;
        }
    }

    void ended(@Nullable Throwable failure) {
        if (failure == null) {
            succeeded++;
        } else {
            failed++;
            last = failure;
        }
    }

    /** Notes what an attempt ended with that is not the end of its items. */
    void tried(Throwable end) {
        last = end;
    }

    /** When the writer gives up unless there is a success before. */
    long due() {
        return giveUpAfter == null || tryingSince == Lane.NEVER ? Lane.NEVER : tryingSince + giveUpAfter.toNanos();
    }

    GaveUpException gaveUp(long unsent, long inFlight) {
        GaveUpException.Counts counts = new GaveUpException.Counts(unsent, inFlight, failed, succeeded);
        return new GaveUpException(giveUpAfter == null ? Duration.ZERO : giveUpAfter, counts, last);
    }
}
