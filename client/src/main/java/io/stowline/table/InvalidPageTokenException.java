package io.stowline.table;

import io.stowline.error.internal.PrintableText;
import org.jspecify.annotations.Nullable;

/**
 * A text that is no page token, or the token of another query. Nothing was sent. A web application whose tokens come from its callers maps
 * it to a 400.
 */
public final class InvalidPageTokenException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what is wrong with the text
     * @param cause what found that out, or {@code null}
     */
    public InvalidPageTokenException(String message, @Nullable Throwable cause) {
        super(PrintableText.of(message), cause);
    }
}
