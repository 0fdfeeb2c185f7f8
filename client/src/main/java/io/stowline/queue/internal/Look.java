package io.stowline.queue.internal;

import io.stowline.transport.ReadOrigin;

/**
 * A message as anybody sees it.
 *
 * @param envelope what the service says of it
 * @param raw its text
 * @param origin which of the account's places gave it
 */
public record Look(Envelope envelope, String raw, ReadOrigin origin) {

    /**
     * A message of the primary.
     *
     * @param envelope what the service says of it
     * @param raw its text
     */
    public Look(Envelope envelope, String raw) {
        this(envelope, raw, ReadOrigin.primary());
    }

    Look from(ReadOrigin place) {
        return new Look(envelope, raw, place);
    }

    @Override
    public String toString() {
        return "Look[" + envelope + "]";
    }
}
