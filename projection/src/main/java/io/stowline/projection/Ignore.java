package io.stowline.projection;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a component that is neither written nor read.
 *
 * <p>It may be of any type. In a value that was read it is null; an {@code Optional} is empty, a number zero, a
 * {@code boolean} false.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Ignore {}
