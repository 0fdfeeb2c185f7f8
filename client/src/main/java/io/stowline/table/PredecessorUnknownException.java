package io.stowline.table;

import io.stowline.error.internal.PrintableText;

/**
 * A conditional item that was not sent because it is not known whether an earlier one of the same entity was applied;
 * its cause is the error of that one.
 */
public final class PredecessorUnknownException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Object entity;

    /**
     * Makes the exception.
     *
     * @param entity the entity
     * @param name its name
     * @param cause the error of the earlier item
     */
    public PredecessorUnknownException(Object entity, String name, Throwable cause) {
        super(
                PrintableText.of("not sent: it is conditional, and it is unknown whether an earlier item of entity "
                        + name + " was applied"),
                cause);
        this.entity = entity;
    }

    /**
     * Returns the entity.
     *
     * @return the entity, as the descriptor gives it
     */
    public Object entity() {
        return entity;
    }
}
