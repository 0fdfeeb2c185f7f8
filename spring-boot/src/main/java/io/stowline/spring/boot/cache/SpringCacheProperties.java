package io.stowline.spring.boot.cache;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the cache manager. Immutable and thread-safe.
 *
 * @param table Table of the caches; the application has a cache manager over it if it is set.
 * @param account Name of the account of the table, as below stowline.accounts; the default account unless it is set.
 * @param timeToLive Time after which an entry is a miss, unless its cache sets another.
 * @param caches Caches by name.
 */
@ConfigurationProperties(SpringCacheProperties.PREFIX)
record SpringCacheProperties(
        @Nullable String table,
        @Nullable String account,
        @Nullable Duration timeToLive,
        @DefaultValue Map<String, DeclaredCacheProperties> caches) {

    static final String PREFIX = "stowline.spring-cache";
}
