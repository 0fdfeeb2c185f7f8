package io.stowline.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.testkit.internal.AzuriteProcess;
import io.stowline.testkit.internal.FakeProcess;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The handling of the process by an {@link Azurite}, shown with processes that do not exist. */
final class AzuriteStateTest {

    final FakeProcess first = FakeProcess.running(FakeProcess.listening(1, 2, 3));
    final FakeProcess second = FakeProcess.running(FakeProcess.listening(4, 5, 6));
    final Deque<FakeProcess> next = new ArrayDeque<>(List.of(first, second));

    @Test
    void spellsOutItsEndpoints() {
        try (Azurite azurite = start()) {
            assertThat(azurite.blobEndpoint()).isEqualTo(URI.create("http://127.0.0.1:1/devstoreaccount1"));
            assertThat(azurite.queueEndpoint()).isEqualTo(URI.create("http://127.0.0.1:2/devstoreaccount1"));
            assertThat(azurite.tableEndpoint()).isEqualTo(URI.create("http://127.0.0.1:3/devstoreaccount1"));
            assertThat(azurite.connectionString())
                    .isEqualTo("DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=well;"
                            + "BlobEndpoint=http://127.0.0.1:1/devstoreaccount1;"
                            + "QueueEndpoint=http://127.0.0.1:2/devstoreaccount1;"
                            + "TableEndpoint=http://127.0.0.1:3/devstoreaccount1;");
        }
    }

    @Test
    void knowsItsOtherAccounts() {
        try (Azurite azurite = start()) {
            assertThat(azurite.connectionString("other"))
                    .contains("AccountName=other;AccountKey=b3RoZXI=;")
                    .contains("TableEndpoint=http://127.0.0.1:3/other;");
            assertThatThrownBy(() -> azurite.connectionString("unknown"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("unknown")
                    .hasMessageContaining("other");
        }
    }

    @Test
    void restartsWithANewProcessAndOtherPorts() {
        try (Azurite azurite = start()) {
            azurite.restart();

            assertThat(first.signals()).containsExactly("kill");
            assertThat(azurite.isAlive()).isTrue();
            assertThat(azurite.connectionString()).contains("TableEndpoint=http://127.0.0.1:6/");
            assertThat(azurite.log()).containsSubsequence("127.0.0.1:3", "(restarted)");
        }
    }

    @Test
    void canBeRestartedAgainAfterAFailedRestart() {
        next.clear();
        next.addAll(List.of(first, FakeProcess.ended(1, "no luck\n"), second));
        try (Azurite azurite = start()) {
            assertThatThrownBy(azurite::restart)
                    .isInstanceOf(TestkitException.class)
                    .hasMessageContaining("no luck");
            assertThat(azurite.isAlive()).isFalse();

            azurite.restart();

            assertThat(azurite.isAlive()).isTrue();
        }
    }

    @Test
    void stopsOnceHoweverOftenItIsClosed() {
        Azurite azurite = start();

        azurite.close();
        azurite.close();

        assertThat(first.signals()).containsExactly("end");
        assertThat(azurite.isAlive()).isFalse();
        assertThat(azurite.isHealthy()).isFalse();
    }

    @Test
    void isNotRestartedAfterItWasClosed() {
        Azurite azurite = start();
        azurite.close();

        assertThatThrownBy(azurite::restart)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void neverShowsAKeyWhenPrinted() {
        try (Azurite azurite = start()) {
            assertThat(azurite).asString().contains("127.0.0.1:3").doesNotContain("well");
            assertThat(TestStorage.of(azurite)).asString().doesNotContain("well");
        }
    }

    private Azurite start() {
        Map<String, String> accounts = Map.of("devstoreaccount1", "well", "other", "b3RoZXI=");
        return new Azurite(
                accounts,
                log -> AzuriteProcess.start(
                        new ProcessBuilder("node"), command -> next.remove(), Duration.ofSeconds(20), log));
    }
}
