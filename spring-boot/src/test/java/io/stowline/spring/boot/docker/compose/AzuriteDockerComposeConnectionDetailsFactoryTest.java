package io.stowline.spring.boot.docker.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.stowline.Stowline;
import io.stowline.spring.boot.autoconfigure.StowlineConnectionDetails;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/** The factory over a service that a mock stands for: no engine runs it. */
class AzuriteDockerComposeConnectionDetailsFactoryTest {

    private final AzuriteDockerComposeConnectionDetailsFactory factory =
            new AzuriteDockerComposeConnectionDetailsFactory();

    @Test
    void connectsToThePublishedPorts() {
        StowlineConnectionDetails details =
                factory.getConnectionDetails(source("mcr.microsoft.com/azure-storage/azurite:3.35.0", Map.of()));

        assertThat(details).isNotNull();
        try (Stowline client = Stowline.connect(details.getConnectionString())) {
            assertThat(client.accountName()).isEqualTo("devstoreaccount1");
            assertThat(client.endpoints())
                    .containsEntry("blob", URI.create("http://127.0.0.1:49160/devstoreaccount1"))
                    .containsEntry("queue", URI.create("http://127.0.0.1:49161/devstoreaccount1"))
                    .containsEntry("table", URI.create("http://127.0.0.1:49162/devstoreaccount1"));
        }
    }

    @Test
    void takesTheFirstAccountOfTheService() {
        StowlineConnectionDetails details = factory.getConnectionDetails(
                source("azure-storage/azurite", Map.of("AZURITE_ACCOUNTS", "first:a2V5:a2V6;second:a2V7")));

        assertThat(details).isNotNull();
        assertThat(details.getConnectionString())
                .startsWith("AccountName=first;AccountKey=a2V5;")
                .contains("TableEndpoint=http://127.0.0.1:49162/first");
    }

    @Test
    void leavesOtherImagesAlone() {
        assertThat(factory.getConnectionDetails(source("redis:8", Map.of()))).isNull();
    }

    private static DockerComposeConnectionSource source(String image, Map<String, String> environment) {
        ConnectionPorts ports = mock(ConnectionPorts.class);
        when(ports.get(10000)).thenReturn(49160);
        when(ports.get(10001)).thenReturn(49161);
        when(ports.get(10002)).thenReturn(49162);
        RunningService service = mock(RunningService.class);
        when(service.image()).thenReturn(ImageReference.of(image));
        when(service.host()).thenReturn("127.0.0.1");
        when(service.ports()).thenReturn(ports);
        when(service.env()).thenReturn(environment);
        when(service.labels()).thenReturn(Map.of());
        DockerComposeConnectionSource source = mock(DockerComposeConnectionSource.class);
        when(source.getRunningService()).thenReturn(service);
        return source;
    }
}
