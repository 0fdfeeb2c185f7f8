package io.stowline.projection;

import io.stowline.projection.internal.edm.PropertyNames;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives a component another property name than its own.
 *
 * <p>On a parameter of an immutable class that was compiled without {@code -parameters} it is the component's name, too,
 * by which its accessor is found; there it may stand beside {@link PartitionKey} and its like.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Property {

    /**
     * Returns the property's name in the table, by the rules of {@link PropertyNames}.
     *
     * @return the name
     */
    String value();
}
