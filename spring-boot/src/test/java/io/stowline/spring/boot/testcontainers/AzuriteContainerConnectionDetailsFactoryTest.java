package io.stowline.spring.boot.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineConnectionDetails;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.testcontainers.azure.AzuriteContainer;
import org.testcontainers.utility.DockerImageName;

/** The way of Spring Boot from a container bean to the client, over a container that a mock stands for: no engine runs it. */
class AzuriteContainerConnectionDetailsFactoryTest {

    @Test
    void aServiceConnectionReplacesTheProperties() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        ServiceConnectionAutoConfiguration.class, StowlineAutoConfiguration.class))
                .withUserConfiguration(Containers.class)
                .withPropertyValues("stowline.account-name=other", "stowline.account-key=a2V5")
                .run(context -> {
                    assertThat(context).hasSingleBean(StowlineConnectionDetails.class);
                    assertThat(context.getBean(io.stowline.Stowline.class).accountName())
                            .isEqualTo("boxed");
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Containers {

        @Bean(destroyMethod = "")
        @ServiceConnection
        AzuriteContainer azurite() {
            AzuriteContainer container = mock(AzuriteContainer.class);
            when(container.getDockerImageName())
                    .thenReturn(DockerImageName.parse("mcr.microsoft.com/azure-storage/azurite:3.35.0")
                            .asCanonicalNameString());
            when(container.getConnectionString())
                    .thenReturn("AccountName=boxed;AccountKey=a2V5;TableEndpoint=http://127.0.0.1:49152/boxed");
            return container;
        }
    }
}
