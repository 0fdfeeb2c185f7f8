package io.stowline.batching;

/** No room for an item in the writer's buffer, or in the share of it that one lane may hold; the item was not accepted. */
public final class BufferFullException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the refusal.
     *
     * @param message what is full, of what size
     */
    public BufferFullException(String message) {
        super(message);
    }
}
