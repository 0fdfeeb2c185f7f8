package io.stowline.projection;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the component that holds the ETag of the version that was read.
 *
 * <p>The component is a {@code String}. It is filled on reading and never written; in a value that was not read it is
 * null. A query of such a type requests full metadata, since nothing less promises ETags in a list (Microsoft Learn,
 * "Payload format for Table service operations"); a point read takes it from the response's header.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface ETag {}
