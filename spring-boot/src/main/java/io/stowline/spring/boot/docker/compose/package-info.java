/**
 * Connection details of an Azurite that Docker Compose runs. Spring Boot calls this room. It uses the connection details of
 * {@code autoconfigure} only.
 */
@NullMarked
package io.stowline.spring.boot.docker.compose;

import org.jspecify.annotations.NullMarked;
