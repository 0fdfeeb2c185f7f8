package io.stowline.transport.internal.concurrent;

import io.stowline.error.FailureDetails;

/** A write request of an operation, and how far it has come. Its figures may be read while it is in flight. Thread-safe. */
public interface SentWrite {

    /** Returns the id that all of its attempts share. */
    String clientRequestId();

    /**
     * Returns the number of its attempts that the service has executed or may have executed, the one in flight
     * included.
     */
    int applied();

    /** Returns whether the service has confirmed it. */
    boolean isCarriedOut();

    /**
     * Returns the facts so far.
     *
     * @param ending why no more is known
     */
    FailureDetails soFar(String ending);

    /** Returns the write after its end, without a body that would take memory. */
    SentWrite ended();
}
