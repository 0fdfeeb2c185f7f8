package io.stowline.transport.internal.request;

import io.stowline.retry.internal.engine.Verdict;

/** Control of the attempts of one request by the sender of its operations: it follows them, and ends them early. Thread-safe. */
public interface AttemptControl {

    /** Notes that the attempt waits for admission. */
    default void waitsForAdmission() {}

    /** Notes that the attempt goes out with a permit that counts. */
    default void goesOut() {}

    /** Notes that the attempt has had no response for long and holds up no other. */
    default void fallsSilent() {}

    /** Returns whether the next attempt, which is due, is still wanted. */
    boolean wantsDueAttempt();

    /**
     * Notes that an attempt has failed.
     *
     * @param attempts the number of attempts so far
     * @return whether another attempt is wanted
     */
    boolean wantsAnother(Verdict verdict, int attempts);

    /** Returns whether the outcome is still wanted, so that it is worth a read-back after a lost response. */
    boolean wantsReadBack();
}
