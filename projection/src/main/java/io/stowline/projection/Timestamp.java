package io.stowline.projection;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the component that holds the time of the entity's last change, as the server set it.
 *
 * <p>The component is an {@code Instant} or an {@code OffsetDateTime} (at offset Z). It is filled on reading and never
 * written: the service ignores a sent value (Microsoft Learn, "Understanding the Table service data model").
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Timestamp {}
