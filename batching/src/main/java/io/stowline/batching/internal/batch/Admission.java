package io.stowline.batching.internal.batch;

import java.util.function.Consumer;
import reactor.core.Disposable;

/**
 * The admission of batches, for instance by an account's gate that many engines share.
 *
 * <p>A permit is the right to send one batch; disposing of it gives it back. A batch is cut when its permit is granted, so that it keeps filling while it waits. The engine never requests more
 * permits than it has lanes ready to send. Implementations must be safe for use by many threads; the callback may be
 * called on any thread, also before {@code request} returns.
 */
@FunctionalInterface
public interface Admission {

    /**
     * Requests a permit.
     *
     * @param granted called at most once, with a permit that will be released
     */
    Waiting request(Consumer<Disposable> granted);

    /** Returns how many permits it grants at a time, as far as is known. Must not call the engine. */
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

    /** A place in the line for a permit. Safe for use by many threads. */
    @FunctionalInterface
    interface Waiting {

        /**
         * Leaves the line.
         *
         * @return true when the callback will never be called; false when it was or will be called with a permit
         */
        boolean cancel();
    }
}
