package io.stowline.system.ledger.subject;

import io.stowline.Stowline;
import io.stowline.outcome.WriteMarkers;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import java.time.Duration;

/**
 * The connection of one worker's clients to the storage, with little patience.
 *
 * @param connectionString the endpoints of the worker's faults
 * @param attempt the time for an attempt
 * @param markers which writes are marked
 */
record StowlineConnection(String connectionString, Duration attempt, WriteMarkers markers) {

    /** Makes a client, which waits so long for its operations when it is closed. */
    Stowline open(Duration closeTimeout) {
        return Stowline.builder()
                .connectionString(connectionString)
                .retry(this::impatient)
                .closeTimeout(closeTimeout)
                .build();
    }

    private RetrySettings.Builder impatient(RetrySettings.Builder retry) {
        return retry.backoff(Backoff.fixed(Duration.ofMillis(1)))
                .retries(4)
                .attemptTimeout(attempt)
                .serverTimeout(Duration.ofSeconds(1))
                .grace(Duration.ofMillis(500))
                .minAttempt(Duration.ofMillis(100))
                .deadline(attempt.multipliedBy(20));
    }
}
