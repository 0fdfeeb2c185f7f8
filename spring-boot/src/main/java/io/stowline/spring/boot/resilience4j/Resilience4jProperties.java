package io.stowline.spring.boot.resilience4j;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of Resilience4j beside the clients.
 *
 * <p>Immutable and thread-safe.
 *
 * @param showRetries Whether the retries of the clients are shown in a registry of retries of Resilience4j.
 * @param allowOuterRetries Whether retries of Resilience4j around calls of the clients repeat failures after which the client has used up its own retries, and writes of unknown outcome.
 */
@ConfigurationProperties("stowline.resilience4j")
record Resilience4jProperties(
        @DefaultValue("true") boolean showRetries,
        @DefaultValue("false") boolean allowOuterRetries) {}
