package io.stowline.table;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The writer had no success for its whole {@linkplain WriterSettings#giveUpAfter() time} although it tried, and gave up. It
 * is the error of every item that it had buffered and not in flight, and what later submits and the close throw. The cause is
 * the last error that the writer saw.
 */
public final class GaveUpException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Duration after;

    private final long unsent;
    private final long inFlight;
    private final long failed;
    private final long succeeded;

    /**
     * Makes the exception.
     *
     * @param after how long there was no success
     * @param unsent the items that the writer had buffered and not in flight, which fail with this
     * @param inFlight the items in flight, which end separately
     * @param failed the items that had failed before
     * @param succeeded the items that had succeeded before
     * @param last the last error that the writer saw, or null
     */
    public GaveUpException(
            Duration after, long unsent, long inFlight, long failed, long succeeded, @Nullable Throwable last) {
        super(
                "the writer gave up after " + after + " without a success: " + unsent + " items were not delivered, "
                        + inFlight + " are in flight, " + failed + " had failed and " + succeeded
                        + " had succeeded before",
                last);
        this.after = after;
        this.unsent = unsent;
        this.inFlight = inFlight;
        this.failed = failed;
        this.succeeded = succeeded;
    }

    /**
     * Returns how long there was no success.
     *
     * @return the time that was set
     */
    public Duration after() {
        return after;
    }

    /**
     * Returns how many items the writer had buffered and not in flight; they had no effect and fail with this.
     *
     * @return the number of items
     */
    public long unsent() {
        return unsent;
    }

    /**
     * Returns how many items were in flight; each ends separately.
     *
     * @return the number of items
     */
    public long inFlight() {
        return inFlight;
    }

    /**
     * Returns how many items had failed before.
     *
     * @return the number of items
     */
    public long failed() {
        return failed;
    }

    /**
     * Returns how many items had succeeded before.
     *
     * @return the number of items
     */
    public long succeeded() {
        return succeeded;
    }
}
