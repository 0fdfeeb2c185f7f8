package io.stowline.projection;

import io.stowline.projection.internal.edm.Abbreviation;
import org.jspecify.annotations.Nullable;

/**
 * Signals a stored property that has no value of the wanted Java type: it is of another type, out of range, would lose digits, or is
 * missing. The message names the property, its value (shortened) and the wanted type.
 */
public final class PropertyConversionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String property;

    /**
     * A property whose value does not fit.
     *
     * @param property the property's name
     * @param value the stored value as text; long text is shortened in the message
     * @param wanted the wanted type, in words
     * @param cause what failed underneath, or null
     */
    public PropertyConversionException(String property, String value, String wanted, @Nullable Throwable cause) {
        super(
                Abbreviation.printable(
                        "property " + property + ": " + Abbreviation.quoted(value) + " cannot be read as " + wanted),
                cause);
        this.property = property;
    }

    private PropertyConversionException(String property, String message) {
        super(Abbreviation.printable(message));
        this.property = property;
    }

    /**
     * Returns the exception for a property without a value.
     *
     * @param property its name in the table
     * @param wanted what needs the value
     * @return the exception
     */
    public static PropertyConversionException missing(String property, String wanted) {
        return new PropertyConversionException(
                property,
                "property " + property + " is missing, and " + wanted
                        + " cannot be without a value; use the boxed type or an Optional, in Kotlin a type with ? or a default argument");
    }

    /**
     * Returns the property at fault.
     *
     * @return its name in the table
     */
    public String property() {
        return property;
    }
}
