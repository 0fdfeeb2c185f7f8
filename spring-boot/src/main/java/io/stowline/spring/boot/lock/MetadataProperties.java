package io.stowline.spring.boot.lock;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the metadata store.
 *
 * <p>Immutable and thread-safe.
 *
 * @param table Table of the texts; the application has a metadata store of Spring Integration if it is set.
 * @param account Name of the account of the table, as below stowline.accounts; stowline is the default account.
 */
@ConfigurationProperties(MetadataProperties.PREFIX)
record MetadataProperties(
        @DefaultValue("") String table,
        @DefaultValue("stowline") String account) {

    static final String PREFIX = "stowline.metadata";
}
