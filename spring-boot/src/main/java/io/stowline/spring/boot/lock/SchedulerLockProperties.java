package io.stowline.spring.boot.lock;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the lock provider of ShedLock.
 *
 * <p>Immutable and thread-safe.
 *
 * @param table Table of the locks of scheduled tasks; the application has a lock provider of ShedLock if it is set.
 * @param account Name of the account of the table, as below stowline.accounts; the default account unless it is set.
 */
@ConfigurationProperties(SchedulerLockProperties.PREFIX)
record SchedulerLockProperties(
        @DefaultValue("") String table, @Nullable String account) {

    static final String PREFIX = "stowline.shedlock";
}
