package io.stowline.transport;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where the result of a read came from, and how old it may be.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param secondary whether the read-only copy in another region answered
 * @param lastSync all writes to the primary before this moment, by the service's clock, are in what the secondary answered; those after
 *     it may be missing. {@code null} if it is not known, and of the primary, which lacks nothing
 */
public record ReadOrigin(boolean secondary, @Nullable Instant lastSync) {

    private static final ReadOrigin PRIMARY = new ReadOrigin(false, null);

    /**
     * Checks the parts.
     *
     * @param secondary whether the read-only copy answered
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
