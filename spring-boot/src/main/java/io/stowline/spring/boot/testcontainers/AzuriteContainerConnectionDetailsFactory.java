package io.stowline.spring.boot.testcontainers;

import io.stowline.spring.boot.autoconfigure.StowlineConnectionDetails;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.azure.AzuriteContainer;

/** A connector to an {@link AzuriteContainer} with {@code @ServiceConnection}. */
final class AzuriteContainerConnectionDetailsFactory
        extends ContainerConnectionDetailsFactory<AzuriteContainer, StowlineConnectionDetails> {

    /** Made by Spring Boot. */
    AzuriteContainerConnectionDetailsFactory() {}

    @Override
    protected StowlineConnectionDetails getContainerConnectionDetails(
            ContainerConnectionSource<AzuriteContainer> source) {
        return new AzuriteContainerConnectionDetails(source);
    }

    private static final class AzuriteContainerConnectionDetails extends ContainerConnectionDetails<AzuriteContainer>
            implements StowlineConnectionDetails {

        private AzuriteContainerConnectionDetails(ContainerConnectionSource<AzuriteContainer> source) {
            super(source);
        }

        @Override
        public String getConnectionString() {
            return getContainer().getConnectionString();
        }
    }
}
