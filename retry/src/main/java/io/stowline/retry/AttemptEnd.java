package io.stowline.retry;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The end of one attempt of a request. Immutable and safe for use by many threads.
 *
 * @param number its number, 1 for the first
 * @param reason the cause of its end in a few words, such as the status and the error code; never a secret
 * @param ambiguous whether it may have been applied although its response was lost
 * @param remedied whether the client has mended the cause of its failure, such as an expired token
 * @param throttling what the service refused for load
 * @param hint the server's hint of when to come back; null when it gave none
 * @param took the time from its start to its end, waiting for a permit included
 * @param waitedBefore the time since the end of the attempt before; zero for the first
 */
public record AttemptEnd(
        int number,
        String reason,
        boolean ambiguous,
        boolean remedied,
        ThrottleScope throttling,
        @Nullable Duration hint,
        Duration took,
        Duration waitedBefore) {

    /** The reason of an attempt that did its work. */
    public static final String SUCCESS = "success";

    /**
     * Refuses a null in a required component.
     *
     * @param number its number, 1 for the first
     * @param reason the cause of its end in a few words
     * @param ambiguous whether it may have been applied although its response was lost
     * @param remedied whether the client has mended the cause of its failure
     * @param throttling what the service refused for load
     * @param hint the server's hint of when to come back; null when it gave none
     * @param took the time from its start to its end
     * @param waitedBefore the time since the end of the attempt before
     */
    public AttemptEnd {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(throttling, "throttling");
        Objects.requireNonNull(took, "took");
        Objects.requireNonNull(waitedBefore, "waitedBefore");
    }

    /** The scope of throttling: what the service refused because of load. */
    public enum ThrottleScope {
        /** Not throttled: the attempt succeeded, or failed for another reason. */
        NONE,
        /** One partition: a range of a table, one queue or one blob. */
        PARTITION,
        /** The whole account. */
        ACCOUNT
    }
}
