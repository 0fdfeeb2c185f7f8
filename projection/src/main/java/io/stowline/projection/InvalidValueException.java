package io.stowline.projection;

import io.stowline.projection.internal.edm.Abbreviation;
import org.jspecify.annotations.Nullable;

/**
 * An argument whose value cannot be stored, compared or requested: a property, an entity or a message that is too large, a size of a page
 * that is out of range, or a key ({@link InvalidKeyException}). Nothing was sent. A web application whose values come from requests
 * maps it to a 400.
 *
 * <p>The message names the thing and its limit, and never a text that it holds. It may name a number or a time.
 */
public class InvalidValueException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message the thing, and what is wrong with its value
     */
    public InvalidValueException(String message) {
        super(Abbreviation.printable(message));
    }

    /**
     * Creates the exception with its cause.
     *
     * @param message the thing, and what is wrong with its value
     * @param cause the cause, or {@code null}
     */
    public InvalidValueException(String message, @Nullable Throwable cause) {
        super(Abbreviation.printable(message), cause);
    }
}
