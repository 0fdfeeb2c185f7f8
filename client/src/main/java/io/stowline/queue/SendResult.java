package io.stowline.queue;

import io.stowline.error.internal.PrintableText;
import java.time.Instant;
import java.util.Objects;

/**
 * A message that was put into a queue.
 *
 * <p>Immutable and safe to share between threads. Its text form does not show the pop receipt.
 *
 * @param queue the queue
 * @param id the id that the service gave it
 * @param popReceipt the proof of the right to {@linkplain MessageQueue#delete(SendResult) delete it} before it is received
 * @param insertedAt the time of its insertion, by the service's clock; 1970-01-01 where the response lacks it
 * @param expiresAt when the service will drop it; the end of the year 9999 if never, 1970-01-01 where the response lacks it
 * @param visibleAt from when on it can be received; 1970-01-01 where the response lacks it
 * @param mayHaveRepeated whether an earlier attempt of the same send may have put it there too: its response was lost,
 *     so that the queue may hold the body twice, under two ids. A send cannot be checked afterwards: put an id into the
 *     body where doing a thing twice would do harm
 */
public record SendResult(
        String queue,
        String id,
        String popReceipt,
        Instant insertedAt,
        Instant expiresAt,
        Instant visibleAt,
        boolean mayHaveRepeated) {

    /**
     * Checks that everything is there.
     *
     * @param queue the queue
     * @param id the id that the service gave it
     * @param popReceipt the proof of the right to delete it before it is received
     * @param insertedAt when it was put there, by the service's clock; 1970-01-01 where the response lacks it
     * @param expiresAt when the service will drop it; the end of the year 9999 if never, 1970-01-01 where the response lacks it
     * @param visibleAt from when on it can be received; 1970-01-01 where the response lacks it
     * @param mayHaveRepeated whether an earlier attempt of the same send may have put it there too
     */
    public SendResult {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(popReceipt, "popReceipt");
        Objects.requireNonNull(insertedAt, "insertedAt");
        Objects.requireNonNull(expiresAt, "expiresAt");
        Objects.requireNonNull(visibleAt, "visibleAt");
    }

    @Override
    public String toString() {
        return PrintableText.of("Sent[" + queue + "(" + id + "), insertedAt=" + insertedAt + ", expiresAt=" + expiresAt
                + ", visibleAt=" + visibleAt + ", repeated=" + mayHaveRepeated + "]");
    }
}
