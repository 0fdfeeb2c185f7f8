/**
 * The Actuator endpoints {@code stowline} and {@code stowlineadvisor}, and what the endpoint {@code info} shows of the clients. Spring Boot calls this
 * room. It uses the public API of the client, {@code autoconfigure} and {@code listener}; the advisor and the ring are optional.
 */
@NullMarked
package io.stowline.spring.boot.actuate;

import org.jspecify.annotations.NullMarked;
