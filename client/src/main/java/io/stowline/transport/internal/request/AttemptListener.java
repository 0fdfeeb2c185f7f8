package io.stowline.transport.internal.request;

import io.stowline.retry.internal.engine.Verdict;

/** Listener of the attempts of one request, which decides whether a further attempt is wanted. Thread-safe. */
public interface AttemptListener {

    /** Notes that the attempt waits for admission. */
    void waits();

    /** Notes that the attempt goes out with a permit that counts. */
    void starts();

    /** Notes that the attempt has had no response for long and holds up no other. */
    void fallsSilent();

    /** Returns whether the next attempt, which is due, is still wanted. */
    boolean wantsAttempt();

    /**
     * Notes that an attempt has failed.
     *
     * @param attempts the number of attempts so far
     * @return whether another attempt is wanted
     */
    boolean failed(Verdict verdict, int attempts);
}
