package io.stowline.observe;

import io.stowline.caching.ResponseCache;
import reactor.util.context.ContextView;

/**
 * Is told what a client does. Give it to {@code Stowline.builder().listener(..)}; {@link MicrometerListener} is one.
 *
 * <p>Its methods are called where things happen, on callers' threads as well as on threads of I/O and timers, by many threads at
 * a time: they must be quick and must not block. What they throw is logged and changes nothing for the operation.
 */
public interface StowlineListener {

    /**
     * A client is ready for work with one service of an account.
     *
     * @param state what can be read of it until it is closed
     */
    default void opened(ServiceState state) {}

    /**
     * That client is closed, and its state does not change any more.
     *
     * @param state what {@link #opened} was given
     */
    default void closed(ServiceState state) {}

    /**
     * A client has made its cache, since something is read through it for the first time.
     *
     * @param account the account
     * @param cache the cache
     */
    default void cacheOpened(String account, ResponseCache cache) {}

    /**
     * A client with a cache is closed.
     *
     * @param account the account
     * @param cache the cache
     */
    default void cacheClosed(String account, ResponseCache cache) {}

    /**
     * An operation begins. Called once for each, on the thread that started it, before anything is sent.
     *
     * @param operation what it is
     * @param context the Reactor context of whoever subscribed to it; empty in a blocking call
     * @return what is told of this operation, {@link OperationListener#NONE} if nothing is to be
     */
    default OperationListener started(OperationInfo operation, ContextView context) {
        return OperationListener.NONE;
    }
}
