package io.stowline.transport.internal.sdk;

import org.jspecify.annotations.Nullable;

/** A response without a fact that its verb needs. Its text names the fact and quotes nothing, so that an error may show it. */
public final class MissingFactException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private MissingFactException(String fact) {
        super("it has no " + fact);
    }

    /** Returns the value of a fact. */
    public static <T> T needed(@Nullable T value, String fact) {
        if (value == null) {
            throw new MissingFactException(fact);
        }
        return value;
    }
}
