/** The listener that reports operations and meters to the registries of Spring Boot. */
@NullMarked
package io.stowline.spring.boot.micrometer;

import org.jspecify.annotations.NullMarked;
