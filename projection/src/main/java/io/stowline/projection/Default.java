package io.stowline.projection;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sets the value of a component whose property is missing, whatever the mapping sets for missing properties and whatever default argument a
 * constructor in Kotlin has.
 *
 * <p>The text is read once, when the type is registered, by the rules of the component's type: {@code "18"},
 * {@code "true"}, {@code "2024-02-29T12:30:00Z"}, the name of an enum's constant, base64 for bytes. A component with a
 * converter takes the text of the stored type. A number that is out of range is refused, and so is one that would be
 * rounded to zero, and a whole one whose digits would not all be kept. Every value that is read so shares the one object
 * that the text gave; bytes are copied. It does not change writing: an absent value stays unwritten.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Default {

    /**
     * Returns the value as text.
     *
     * @return the text
     */
    String value();
}
