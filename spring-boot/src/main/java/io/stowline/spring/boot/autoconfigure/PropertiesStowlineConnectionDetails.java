package io.stowline.spring.boot.autoconfigure;

import org.jspecify.annotations.Nullable;

/** The connection that properties describe. */
final class PropertiesStowlineConnectionDetails implements StowlineConnectionDetails {

    private final AccountProperties properties;

    PropertiesStowlineConnectionDetails(AccountProperties properties) {
        this.properties = properties;
    }

    @Override
    public @Nullable String getConnectionString() {
        return properties.connectionString();
    }

    @Override
    public @Nullable String getEndpoint() {
        return properties.endpoint();
    }

    @Override
    public @Nullable String getTableEndpoint() {
        return properties.table().endpoint();
    }

    @Override
    public @Nullable String getQueueEndpoint() {
        return properties.queue().endpoint();
    }

    @Override
    public @Nullable String getBlobEndpoint() {
        return properties.blob().endpoint();
    }

    @Override
    public @Nullable String getAccountName() {
        return properties.accountName();
    }

    @Override
    public @Nullable String getAccountKey() {
        return properties.accountKey();
    }

    @Override
    public @Nullable String getSasToken() {
        return properties.sasToken();
    }
}
