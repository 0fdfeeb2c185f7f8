package io.stowline.transport.internal.concurrent;

import io.stowline.error.FailureDetails;

/** A write request of an operation, and how far it has come. Its figures may be read while it is in flight. Thread-safe. */
public interface SentWrite {

    /** The id that all of its attempts share. */
    String clientRequestId();

    /** The number of its attempts that the service has executed or may have executed, the one in flight included. */
    int applied();

    /** Returns whether the service has confirmed it. */
    boolean isCarriedOut();

    /**
     * The facts so far.
     *
     * @param ending why no more is known
     */
    FailureDetails soFar(String ending);

    /** The same after its end, without a body that would take memory. */
    SentWrite ended();
}
