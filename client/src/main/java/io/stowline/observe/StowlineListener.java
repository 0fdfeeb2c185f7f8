package io.stowline.observe;

import io.stowline.caching.ResponseCache;
import java.util.List;
import reactor.util.context.ContextView;

/**
 * A listener to the operations and services of a client. Give it to {@code Stowline.builder().listener(..)}; {@link MicrometerListener} is
 * one.
 *
 * <p>Its methods are called where things happen, on callers' threads as well as on threads of I/O and timers, by many threads at
 * a time: they must be quick and must not block. What they throw is logged and changes nothing for the operation. Stopping a consumer and closing
 * a client is refused in them: {@code stop}, {@code close} of a consumer and {@code close} of a client throw {@link IllegalStateException}.
 */
public interface StowlineListener {

    /**
     * Returns a listener that passes each event on to several. One that throws keeps no event from the others.
     *
     * @param listeners the listeners, in the order in which they get events
     * @return the listener
     * @throws IllegalArgumentException if there is none
     */
    static StowlineListener all(StowlineListener... listeners) {
        if (listeners.length == 0) {
            throw new IllegalArgumentException("listeners are empty: name at least one");
        }
        return CompositeStowlineListener.of(List.of(listeners));
    }

    /**
     * Receives the state of a client that is ready for work with one service of an account.
     *
     * @param state the state, which can be read until it is closed
     */
    default void onServiceOpened(ServiceState state) {}

    /**
     * Receives the state of a closed client, which no longer changes.
     *
     * @param state the state that {@link #onServiceOpened} received
     */
    default void onServiceClosed(ServiceState state) {}

    /**
     * Receives the cache of a client, made for its first read.
     *
     * @param account the account
     * @param cache the cache
     */
    default void onCacheOpened(String account, ResponseCache cache) {}

    /**
     * Receives the cache of a closed client.
     *
     * @param account the account
     * @param cache the cache
     */
    default void onCacheClosed(String account, ResponseCache cache) {}

    /**
     * Receives the end of a delivery to a queue consumer.
     *
     * @param event the end
     */
    default void onConsumerEvent(ConsumerEvent event) {}

    /**
     * Receives the end of an attempt, also of requests through {@code unwrap()}. It comes before the end of its request, and is called for each
     * attempt: slow code here delays every call.
     *
     * @param event the attempt, which can be read during this call only
     */
    default void onAttemptEnd(AttemptEvent event) {}

    /**
     * Receives the density of a page of a query, once its rows are decoded.
     *
     * @param event the entities returned and scanned
     */
    default void onQueryPage(QueryPageEvent event) {}

    /**
     * Returns the listener to an operation that begins. Called once for each, on the thread that started it, before anything is sent.
     *
     * @param operation what it is
     * @param context the Reactor context of its subscriber; empty in a blocking call
     * @return the listener to this operation, {@link OperationListener#NONE} for none
     */
    default OperationListener onOperationStart(OperationInfo operation, ContextView context) {
        return OperationListener.NONE;
    }

    /**
     * Runs work of the library that no caller waits for, such as the polls of a consumer, in a thread that may be a caller's: operations that
     * begin in it have no parent. A listener that finds parents by the thread hides them while the work runs. It runs the work once.
     *
     * @param work the library's work
     */
    default void runDetached(Runnable work) {
        work.run();
    }
}
