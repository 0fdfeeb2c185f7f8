package io.stowline.queue.internal;

/**
 * A message as anybody sees it.
 *
 * @param envelope what the service says of it
 * @param raw its text
 */
public record Look(Envelope envelope, String raw) {

    @Override
    public String toString() {
        return "Look[" + envelope + "]";
    }
}
