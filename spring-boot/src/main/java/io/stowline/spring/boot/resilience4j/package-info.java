/**
 * Resilience4j beside the clients of the starter: circuit breakers that Spring Boot configures, retries of the clients in its registry of retries, and a
 * guard against a second layer of retries around them.
 *
 * <p>With {@code resilience4j.circuitbreaker.instances.stowline-table} among the properties, the table service of the default account has that breaker.
 *
 * <p>Names of instances are {@code stowline-<service>} for the default account and {@code stowline-<account>-<service>} for a further one. Retries
 * of the application take their rule from {@link io.stowline.spring.boot.resilience4j.OuterRetries}, which needs no Resilience4j.
 *
 * <p>Spring calls this room. It uses the public API of the client, {@code autoconfigure} and the modules {@code resilience4j-circuitbreaker} and
 * {@code resilience4j-retry}, each of which may be absent.
 */
@NullMarked
package io.stowline.spring.boot.resilience4j;

import org.jspecify.annotations.NullMarked;
