/**
 * The auto-configuration of Stowline for Spring Boot: properties under {@code stowline}, connection details, the clients, and typed beans
 * for tables, queues and containers.
 */
@NullMarked
package io.stowline.spring.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;
