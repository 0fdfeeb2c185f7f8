package io.stowline.table;

import io.stowline.error.internal.PrintableText;

/**
 * A refusal of an item: the writer's buffer has no room for it, or the share of it that one lane may take. The item was
 * not accepted.
 */
public final class BufferFullException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the refusal.
     *
     * @param message what is full, of what size
     */
    public BufferFullException(String message) {
        super(PrintableText.of(message));
    }
}
