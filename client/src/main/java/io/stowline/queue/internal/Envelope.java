package io.stowline.queue.internal;

import java.time.Instant;

/**
 * What the service says of a message whoever reads it.
 *
 * @param queue where it is
 * @param id its id
 * @param dequeueCount how often it was received
 * @param insertedAt when it was put there
 * @param expiresAt when it will be dropped
 */
public record Envelope(String queue, String id, long dequeueCount, Instant insertedAt, Instant expiresAt) {

    /**
     * How failures name it.
     *
     * @return queue and id
     */
    public String resource() {
        return queue + "(" + id + ")";
    }
}
