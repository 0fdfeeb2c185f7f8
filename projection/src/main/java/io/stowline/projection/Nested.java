package io.stowline.projection;

import io.stowline.projection.internal.edm.PropertyNames;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a component whose own components become properties: {@code address.city} is stored as {@code address_city}.
 *
 * <p>The component is a record or an immutable class, or an {@code Optional} of one, and may hold nested components
 * itself, to any depth; it holds no keys, no timestamp, no ETag and no property bag, and never itself. A null or an
 * empty {@code Optional} writes none of its properties. On reading it is null or empty when all of its properties are
 * absent, and else made of those that are there; a value all of whose components are absent comes back as null.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Nested {

    /**
     * Returns the separator between the name of the component and the names of its nested components.
     *
     * @return the separator, {@code _} by default; the whole name keeps the rules of {@link PropertyNames}
     */
    String separator() default "_";
}
