/**
 * The listener that reports operations and meters to the registries of Spring Boot, and the gauges of the advisor. Spring calls this room. It uses
 * the public API of the client and of the advisor, which is optional.
 */
@NullMarked
package io.stowline.spring.boot.micrometer;

import org.jspecify.annotations.NullMarked;
