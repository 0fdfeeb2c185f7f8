package io.stowline.transport.internal.request;

import io.stowline.retry.internal.engine.Verdict;

/** Control of the attempts of one request by the sender of its operations: it follows them, and ends them early. Thread-safe. */
@FunctionalInterface
public interface AttemptControl {

    /** Notes that the attempt waits for admission. */
    default void waitsForAdmission() {}

    /** Notes that the attempt goes out with a permit that counts. */
    default void goesOut() {}

    /** Notes that the attempt has had no response for long and holds up no other. */
    default void fallsSilent() {}

    /** Returns whether the next attempt, which is due, is still wanted. */
    default boolean wantsDueAttempt() {
        return isWanted();
    }

    /**
     * Notes that an attempt has failed.
     *
     * @param attempts the number of attempts so far
     * @return whether another attempt is wanted
     */
    default boolean attemptFailed(Verdict verdict, int attempts) {
        return isWanted();
    }

    /** Returns whether the outcome is still wanted, and worth a read-back after a lost response. */
    boolean isWanted();
}
