package io.stowline.spring.boot.lock;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the lock provider of ShedLock.
 *
 * <p>Immutable and thread-safe.
 *
 * @param table Table of the locks of scheduled tasks; the application has a lock provider of ShedLock if it is set.
 * @param account Name of the account of the table, as below stowline.accounts; stowline is the default account.
 */
@ConfigurationProperties(SchedulerLockProperties.PREFIX)
record SchedulerLockProperties(
        @DefaultValue("") String table,
        @DefaultValue("stowline") String account) {

    static final String PREFIX = "stowline.shedlock";
}
