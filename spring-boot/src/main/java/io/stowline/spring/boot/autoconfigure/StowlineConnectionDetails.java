package io.stowline.spring.boot.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * The endpoints and the credential of the default account. A bean of this type takes the place of the connection
 * properties: those of Testcontainers and Docker Compose are made by Spring Boot, others by the application.
 *
 * <p>Each part may be absent. Implementations are thread-safe and do not show a secret in {@code toString}.
 */
public interface StowlineConnectionDetails extends ConnectionDetails {

    /**
     * Returns the connection string.
     *
     * @return the connection string, or {@code null}
     */
    default @Nullable String getConnectionString() {
        return null;
    }

    /**
     * Returns the endpoint of any one service.
     *
     * @return an endpoint whose host shows its service, or {@code null}
     */
    default @Nullable String getEndpoint() {
        return null;
    }

    /**
     * Returns the endpoint of the table service.
     *
     * @return the endpoint, or {@code null}
     */
    default @Nullable String getTableEndpoint() {
        return null;
    }

    /**
     * Returns the endpoint of the queue service.
     *
     * @return the endpoint, or {@code null}
     */
    default @Nullable String getQueueEndpoint() {
        return null;
    }

    /**
     * Returns the endpoint of the blob service.
     *
     * @return the endpoint, or {@code null}
     */
    default @Nullable String getBlobEndpoint() {
        return null;
    }

    /**
     * Returns the name of the account.
     *
     * @return the name, or {@code null}
     */
    default @Nullable String getAccountName() {
        return null;
    }

    /**
     * Returns the key of the account.
     *
     * @return the key, or {@code null}
     */
    default @Nullable String getAccountKey() {
        return null;
    }

    /**
     * Returns a shared access signature.
     *
     * @return the signature, or {@code null}
     */
    default @Nullable String getSasToken() {
        return null;
    }
}
