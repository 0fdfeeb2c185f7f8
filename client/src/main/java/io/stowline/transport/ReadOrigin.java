package io.stowline.transport;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a read's result: the place that sent it, and the age that it may have.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param secondary whether the read-only copy in another region sent it
 * @param lastSync all writes to the primary before this moment, by the service's clock, are in the secondary's response; those after
 *     it may be missing. {@code null} if it is not known, and of the primary, which lacks nothing
 */
public record ReadOrigin(boolean secondary, @Nullable Instant lastSync) {

    private static final ReadOrigin PRIMARY = new ReadOrigin(false, null);

    /**
     * Checks the parts.
     *
     * @param secondary whether the read-only copy sent it
     * @param lastSync the moment up to which it has all writes, or {@code null}
     * @throws IllegalArgumentException if there is such a moment for the primary
     */
    public ReadOrigin {
        if (!secondary && lastSync != null) {
            throw new IllegalArgumentException("lastSync is " + lastSync + ", but the primary lacks nothing");
        }
    }

    /**
     * Returns the account's primary.
     *
     * @return the origin of what has all writes
     */
    public static ReadOrigin primary() {
        return PRIMARY;
    }
}
