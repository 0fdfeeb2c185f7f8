package io.stowline.batching.internal.batch;

import java.util.function.Consumer;

/**
 * The admission of batches, for instance by an account's gate that many engines share.
 *
 * <p>A batch is cut when its ticket is granted, so that it keeps filling while it waits. The engine never requests more
 * tickets than it has lanes ready to send. Implementations must be safe for use by many threads; the callback may be
 * called on any thread, also before {@code request} returns.
 */
@FunctionalInterface
public interface Admission {

    /**
     * Asks for a ticket.
     *
     * @param granted called at most once, with a ticket that will be released
     */
    Waiting request(Consumer<Ticket> granted);

    /** Returns how many tickets it grants at a time, as far as is known. Must not call the engine. */
    default int limit() {
        return Integer.MAX_VALUE;
    }

    /** Returns an admission that grants at once. */
    static Admission atOnce() {
        return granted -> {
            granted.accept(() -> {});
            return () -> false;
        };
    }

    /** The right to send one batch. Safe for use by many threads. */
    @FunctionalInterface
    interface Ticket {

        /** Gives the ticket back. */
        void release();
    }

    /** A place in the line for a ticket. Safe for use by many threads. */
    @FunctionalInterface
    interface Waiting {

        /**
         * Leaves the line.
         *
         * @return true when the callback will never be called; false when it was or will be called with a ticket
         */
        boolean cancel();
    }
}
