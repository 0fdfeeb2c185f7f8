package io.stowline.queue.internal.consumer.handler;

import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/** A handling that runs the application's code for messages. Thread-safe. */
public interface MessageHandling {

    /**
     * Starts the code for these messages and does not wait for it.
     *
     * @param progress is notified of its beginning and its end
     * @return cancels it
     */
    HandlerCall start(List<LeaseKeeper> messages, Progress progress);

    /** Returns whether this thread is known to run such code, and may not wait for its end. */
    default boolean isInHandler() {
        return false;
    }

    /** Returns whether a subscription with this context is a part of such code, and may not wait for its end. */
    default boolean isInHandler(ContextView context) {
        return false;
    }

    /** Code of the application that runs. */
    interface HandlerCall {

        /** Interrupts or cancels it; does nothing once it has ended. */
        void cancel();
    }

    /** The listener to a handler's progress, on any thread. */
    interface Progress {

        /** Reports that the code runs. */
        void began();

        /**
         * Reports that the application's code for these messages has returned. Called exactly once.
         *
         * @param error its exception, or {@code null} if it returned
         */
        void ended(@Nullable Throwable error);

        /**
         * Reports that the executor refused the handler. Called in place of the others.
         *
         * @param error why
         */
        void refused(Throwable error);
    }
}
