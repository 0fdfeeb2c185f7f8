package io.stowline.queue.internal;

import java.time.Instant;
import java.util.Objects;

/**
 * The right to a message for a time.
 *
 * @param popReceipt what proves it
 * @param visibleAt when it ends, by the service's clock
 * @param tenure how long it runs for certain, by our own
 */
public record Lease(String popReceipt, Instant visibleAt, Tenure tenure) {

    /**
     * Checks that there is a receipt.
     *
     * @param popReceipt what proves it
     * @param visibleAt when it ends, by the service's clock
     * @param tenure how long it runs for certain, by our own
     */
    public Lease {
        Objects.requireNonNull(popReceipt, "popReceipt");
        Objects.requireNonNull(tenure, "tenure");
    }

    @Override
    public String toString() {
        return "Lease[until " + visibleAt + "]";
    }
}
