package io.stowline.batching;

import org.jspecify.annotations.Nullable;

/** What stands in a lane's queue; all guarded by the engine's lock. */
abstract sealed class Node<K, I, R> permits Entry, Group {

    /** Where a node is on its way from submit to its terminal result. */
    enum State {
        WAITING,
        QUEUED,
        CHUNKED,
        IN_FLIGHT,
        TERMINAL
    }

    State state = State.WAITING;
    long seq;

    /** When it must have its end, where there is such a time. */
    @Nullable
    Expiry<K, I, R> expiry;

    /** Whether it is among those of its lane that may be sent next. */
    boolean headed;

    boolean promoted;

    @Nullable
    Node<K, I, R> prev;

    @Nullable
    Node<K, I, R> next;
}
