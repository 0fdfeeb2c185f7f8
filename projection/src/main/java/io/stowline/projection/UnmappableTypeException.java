package io.stowline.projection;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Signals a Java type that cannot be mapped to properties. Thrown when the type is registered, never while a value is written or read. The
 * message names the type, the component and what is allowed instead.
 */
public final class UnmappableTypeException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final Class<?> type;

    /** The component at fault, or null when it is the type as a whole. */
    private final @Nullable String component;

    /**
     * Describes the refusal.
     *
     * @param type the type that was to be registered
     * @param component the component at fault, or {@code null} if it is the type as a whole
     * @param reason what is wrong, and what to do
     * @param cause the cause, or {@code null}
     */
    public UnmappableTypeException(
            Class<?> type, @Nullable String component, String reason, @Nullable Throwable cause) {
        super(message(type, component, reason), cause);
        this.type = type;
        this.component = component;
    }

    /**
     * Returns the type that was to be registered.
     *
     * @return the type
     */
    public Class<?> type() {
        return type;
    }

    /**
     * Returns the component at fault.
     *
     * @return its name; empty when the type as a whole is at fault
     */
    public Optional<String> component() {
        return Optional.ofNullable(component);
    }

    private static String message(Class<?> type, @Nullable String component, String reason) {
        String where = component == null ? "" : "component " + component + ": ";
        return type.getName() + " cannot be mapped: " + where + reason;
    }
}
