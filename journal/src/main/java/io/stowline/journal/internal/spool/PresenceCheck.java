package io.stowline.journal.internal.spool;

import io.stowline.journal.JournalException;
import java.io.IOException;

/**
 * A check that a file is still the one in its folder. It costs as much as the write of a record, so that a write makes it every ten
 * milliseconds only. Guarded by its spool file.
 */
final class PresenceCheck {

    static final long EVERY_NANOS = 10_000_000;

    private final Spool spool;
    private final FrameFile frames;
    private long next;

    PresenceCheck(Spool spool, FrameFile frames) {
        this.spool = spool;
        this.frames = frames;
        this.next = spool.nanoTime();
    }

    /**
     * Makes the check where it is due.
     *
     * @throws JournalException if a file of the spool was removed or replaced
     */
    void require() {
        long now = spool.nanoTime();
        try {
            if (now - next >= 0) {
                check();
                next = now + EVERY_NANOS;
            }
            spool.refuseWhereLost();
        } catch (IOException e) {
            throw spool.cannot("written", Spool.why(e), e);
        }
    }

    /** Makes the check at once. */
    void check() throws IOException {
        if (!frames.isInPlace()) {
            spool.lose(frames.name());
        }
        spool.refuseWhereLost();
    }
}
