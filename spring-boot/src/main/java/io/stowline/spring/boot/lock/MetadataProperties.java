package io.stowline.spring.boot.lock;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the metadata store.
 *
 * <p>Immutable and thread-safe.
 *
 * @param table Table of the texts; the application has a metadata store of Spring Integration if it is set.
 * @param account Name of the account of the table, as below stowline.accounts; the default account unless it is set.
 */
@ConfigurationProperties(MetadataProperties.PREFIX)
record MetadataProperties(
        @DefaultValue("") String table, @Nullable String account) {

    static final String PREFIX = "stowline.metadata";
}
