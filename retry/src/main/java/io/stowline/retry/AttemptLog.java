package io.stowline.retry;

import io.stowline.retry.Verdict.ThrottleScope;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * The facts of an operation's attempts, in their order. Immutable and safe for use by many threads.
 *
 * @param attempts one entry for each attempt that has ended
 * @param elapsed the time since the first attempt began, waits included
 */
public record AttemptLog(List<Entry> attempts, Duration elapsed) {

    /** The log of an operation before its first attempt. */
    public static final AttemptLog EMPTY = new AttemptLog(List.of(), Duration.ZERO);

    /**
     * The facts of one attempt.
     *
     * @param number its number, 1 for the first
     * @param verdict what its end meant
     * @param took the time from its start to its end, waiting for a permit included
     * @param waitedBefore the time since the end of the attempt before; zero for the first
     */
    public record Entry(int number, Verdict verdict, Duration took, Duration waitedBefore) {

        /**
         * Checks that everything is there.
         *
         * @param number its number, 1 for the first
         * @param verdict what it ended with
         * @param took how long it took
         * @param waitedBefore how long it waited to start
         */
        public Entry {
            Objects.requireNonNull(verdict, "verdict");
            Objects.requireNonNull(took, "took");
            Objects.requireNonNull(waitedBefore, "waitedBefore");
        }

        /**
         * Returns the verdict's reason.
         *
         * @return the cause in a few words
         */
        public String reason() {
            return verdict.reason();
        }

        /**
         * Tells whether it may have been applied although its response was lost.
         *
         * @return whether it was ambiguous
         */
        public boolean ambiguous() {
            return verdict.ambiguous();
        }

        /**
         * Returns what the service refused for load.
         *
         * @return the throttling
         */
        public ThrottleScope throttling() {
            return verdict.throttling();
        }
    }

    /**
     * Copies the list.
     *
     * @param attempts one entry for each attempt that has ended
     * @param elapsed the time since the first attempt began, waits included
     */
    public AttemptLog {
        attempts = List.copyOf(Objects.requireNonNull(attempts, "attempts"));
        Objects.requireNonNull(elapsed, "elapsed");
    }

    /**
     * Tells whether any attempt may have been applied although its response was lost.
     *
     * @return whether one of them was ambiguous
     */
    public boolean anyAmbiguous() {
        for (Entry attempt : attempts) {
            if (attempt.ambiguous()) {
                return true;
            }
        }
        return false;
    }
}
