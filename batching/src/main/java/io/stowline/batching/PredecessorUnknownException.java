package io.stowline.batching;

/**
 * A conditional item that was not sent because nobody can tell whether an earlier one of the same entity was applied;
 * its cause is the error of that one.
 */
public final class PredecessorUnknownException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Object entity;

    PredecessorUnknownException(Named entity, Throwable cause) {
        super(
                "not sent: it is conditional, and it is unknown whether an earlier item of entity " + entity
                        + " was applied",
                cause);
        this.entity = entity.value();
    }

    /**
     * Returns the entity.
     *
     * @return the entity, as the descriptor tells it
     */
    public Object entity() {
        return entity;
    }
}
