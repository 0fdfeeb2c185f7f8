package io.stowline.queue.internal.consumer.handler;

import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/** Runs the application's code for messages. Thread-safe. */
public interface MessageHandling {

    /**
     * Starts the code for these messages and does not wait for it.
     *
     * @param progress hears of its beginning and its end
     * @return cancels it
     */
    Call start(List<LeaseKeeper> messages, Progress progress);

    /** Whether this thread is known to run such code, and may not wait for its end. */
    default boolean isInHandler() {
        return false;
    }

    /** Whether what is subscribed to with this context is a part of such code, and may not wait for its end. */
    default boolean isInHandler(ContextView context) {
        return false;
    }

    /** Code of the application that runs. */
    interface Call {

        /** Interrupts or cancels it; does nothing once it has ended. */
        void cancel();
    }

    /** Hears what a handler does, on any thread. */
    interface Progress {

        /** The code runs from now on. */
        void began();

        /**
         * No code of the application runs any more for these messages. Called exactly once.
         *
         * @param error what it threw, or {@code null} if it returned
         */
        void ended(@Nullable Throwable error);

        /**
         * The executor did not take the handler. Called in place of the others.
         *
         * @param error why
         */
        void refused(Throwable error);
    }
}
