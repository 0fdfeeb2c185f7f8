package io.stowline.projection;

import io.stowline.projection.internal.edm.PropertyNames;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the component that takes all properties that no other component takes, and writes them back.
 *
 * <p>The component is a {@code Map<String, Object>}. A read fills it with an unmodifiable map, empty when nothing is
 * left over, of values in the one Java class of their type: {@code String}, {@code Boolean}, {@code Integer},
 * {@code Long}, {@code Double}, {@code Instant}, {@code UUID} and {@code byte[]}. A write takes every type in the table
 * of {@link EntityType}; entries with a null value, and a null map, write nothing. A name that breaks the rules of
 * {@link PropertyNames} or is that of a component's property, and a value of another type, are refused with the name.
 *
 * <p>A read of such a type requests all properties and their types.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface PropertyBag {}
