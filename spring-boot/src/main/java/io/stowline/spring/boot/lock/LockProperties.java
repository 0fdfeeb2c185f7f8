package io.stowline.spring.boot.lock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the lock registry.
 *
 * <p>Immutable and thread-safe.
 *
 * @param container Container of the blobs of locks; the application has a lock registry if it is set.
 * @param account Name of the account of the container, as below stowline.accounts; the default account unless it is set.
 * @param lease Time after which others get the lock of a dead process, 15s to 60s.
 * @param pollEvery Longest pause between two tries of a lock that another process has, 100ms to 1m.
 */
@ConfigurationProperties(LockProperties.PREFIX)
record LockProperties(
        @DefaultValue("") String container,
        @Nullable String account,
        @DefaultValue("30s") Duration lease,
        @DefaultValue("1s") Duration pollEvery) {

    static final String PREFIX = "stowline.locks";
}
