/**
 * Health contributors of Spring Boot for the table, queue and blob services of each client, and for the queue listeners. Spring Boot calls this
 * room. It uses the public API of the client, {@code autoconfigure} and {@code listener}.
 */
@NullMarked
package io.stowline.spring.boot.health;

import org.jspecify.annotations.NullMarked;
