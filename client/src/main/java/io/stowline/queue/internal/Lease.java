package io.stowline.queue.internal;

import java.time.Instant;
import java.util.Objects;

/**
 * The right to a message for a time.
 *
 * @param popReceipt what proves it
 * @param visibleAt when it ends
 */
public record Lease(String popReceipt, Instant visibleAt) {

    /**
     * Checks that there is a receipt.
     *
     * @param popReceipt what proves it
     * @param visibleAt when it ends
     */
    public Lease {
        Objects.requireNonNull(popReceipt, "popReceipt");
    }

    @Override
    public String toString() {
        return "Lease[until " + visibleAt + "]";
    }
}
