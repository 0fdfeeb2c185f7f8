package io.stowline.batching;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The writer had no success for its whole {@linkplain BatcherSettings#giveUpAfter() time} although it tried, and gave up. It
 * is the error of every item that it held and had not in flight, and what later submits and the close throw. The cause is
 * the last error that the writer saw.
 */
public final class GaveUpException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** How long there was no success. */
    private final Duration after;

    /** The figures of the writer when it gave up. */
    private final transient Counts counts;

    /**
     * The figures of a writer that gave up.
     *
     * @param unsent items that it held and had not in flight, which fail with this
     * @param inFlight items in flight, which have ends of their own
     * @param failed items that had failed before
     * @param succeeded items that had succeeded before
     */
    record Counts(long unsent, long inFlight, long failed, long succeeded) {}

    GaveUpException(Duration after, Counts counts, @Nullable Throwable last) {
        super(
                "the writer gave up after " + after + " without a success: " + counts.unsent()
                        + " items were not delivered, " + counts.inFlight() + " are in flight, " + counts.failed()
                        + " had failed and " + counts.succeeded() + " had succeeded before",
                last);
        this.after = after;
        this.counts = counts;
    }

    /** The same with the failures whose results nobody took. */
    GaveUpException with(@Nullable UncollectedFailuresException failures) {
        GaveUpException other = new GaveUpException(after, counts, getCause());
        if (failures != null) {
            other.addSuppressed(failures);
        }
        return other;
    }

    /** The same for another place that throws it. */
    GaveUpException again() {
        GaveUpException other = with(null);
        for (Throwable suppressed : getSuppressed()) {
            other.addSuppressed(suppressed);
        }
        return other;
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
     * Returns how many items the writer held and had not in flight; they had no effect and fail with this.
     *
     * @return the number of items
     */
    public long unsent() {
        return counts.unsent();
    }

    /**
     * Returns how many items were in flight; each has an end of its own.
     *
     * @return the number of items
     */
    public long inFlight() {
        return counts.inFlight();
    }

    /**
     * Returns how many items had failed before.
     *
     * @return the number of items
     */
    public long failed() {
        return counts.failed();
    }

    /**
     * Returns how many items had succeeded before.
     *
     * @return the number of items
     */
    public long succeeded() {
        return counts.succeeded();
    }
}
