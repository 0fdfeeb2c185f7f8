/**
 * Connection details of an Azurite that Testcontainers runs. Spring Boot calls this room. It uses the connection details of
 * {@code autoconfigure} only.
 */
@NullMarked
package io.stowline.spring.boot.testcontainers;

import org.jspecify.annotations.NullMarked;
