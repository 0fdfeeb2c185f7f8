package io.stowline.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The real emulator, installed from npm when this machine does not have it yet. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AzuriteLiveTest {

    private static final String OTHER_KEY = "b3RoZXIga2V5IG9mIHRoZSB0ZXN0";

    @TempDir
    Path temp;

    static Azurite azurite;

    @BeforeAll
    static void start() {
        azurite = Azurite.builder()
                .account("other", OTHER_KEY)
                .keepAliveTimeout(Duration.ofSeconds(30))
                .start();
    }

    @AfterAll
    static void stop() {
        azurite.close();
    }

    @Test
    void respondsOnAllThreePorts() throws Exception {
        assertThat(server(azurite.blobEndpoint())).isEqualTo("Azurite-Blob/3.35.0");
        assertThat(server(azurite.queueEndpoint())).isEqualTo("Azurite-Queue/3.35.0");
        assertThat(server(azurite.tableEndpoint())).isEqualTo("Azurite-Table/3.35.0");
    }

    @Test
    void tellsClientsHowLongIdleConnectionsStayOpen() throws Exception {
        for (URI endpoint : new URI[] {azurite.blobEndpoint(), azurite.queueEndpoint(), azurite.tableEndpoint()}) {
            assertThat(get(endpoint).headers().firstValue("Keep-Alive")).contains("timeout=30");
        }
    }

    @Test
    void servesTheWellKnownAccountAndTheOthers() throws Exception {
        URI endpoint = URI.create(azurite.tableEndpoint().toString().replace("devstoreaccount1", "other"));

        assertThat(new RawTables(azurite).create("wellknown")).isEqualTo(201);
        RawTables other = new RawTables(endpoint, "other", OTHER_KEY);
        assertThat(other.create("others")).isEqualTo(201);
        assertThat(other.list()).contains("others").doesNotContain("wellknown");
    }

    @Test
    void keepsRequestsInTheLogsThatWereRequested() throws Exception {
        Path debugLog = temp.resolve("debug.log");
        Azurite logging = Azurite.builder().accessLog(true).debugLog(debugLog).start();
        try (logging) {
            // the line of a request may be printed after its response; each further request gives the emulator time for
            // that.
            for (int i = 0; i < 1_000 && !logging.log().contains("GET /devstoreaccount1/Tables"); i++) {
                new RawTables(logging).list();
            }
        }

        assertThat(logging.log()).contains("successfully listening").contains("GET /devstoreaccount1/Tables");
        assertThat(debugLog).isNotEmptyFile();
    }

    @Test
    void isOfTheVersionThatTheLockNames() throws IOException {
        Path packages = NpmPackages.of(Azurite.class, "azurite").install();

        assertThat(Files.readString(packages.resolve("node_modules/azurite/package.json")))
                .contains("\"version\": \"3.35.0\"");
    }

    @Test
    void restartsAPoisonedEmulatorWithACleanState() throws Exception {
        try (Azurite poisoned = Azurite.start()) {
            ProcessHandle old = poisoned.handle();
            assertThat(poisoned.isHealthy()).isTrue();
            assertThat(new RawTables(poisoned).poison("poisoned")).isEqualTo(500);
            assertThat(poisoned.isAlive()).isTrue();
            assertThat(poisoned.isHealthy()).isFalse();
            assertThat(poisoned.isHealthy()).as("asked twice").isFalse();

            poisoned.restart();

            assertThat(old.isAlive()).isFalse();
            assertThat(poisoned.isHealthy()).isTrue();
            assertThat(new RawTables(poisoned).list()).contains("\"value\":[]");
        }
    }

    @Test
    void requestingForItsHealthChangesNothing() throws Exception {
        RawTables tables = new RawTables(azurite);
        tables.create("before");
        String before = tables.list();

        assertThat(azurite.isHealthy()).isTrue();

        assertThat(tables.list()).isEqualTo(before);
    }

    @Test
    void twoStartAtOnceAndShareNothing() throws Exception {
        CompletableFuture<Azurite> starting = CompletableFuture.supplyAsync(Azurite::start);
        try (Azurite one = Azurite.start();
                Azurite two = starting.join()) {
            assertThat(one.tableEndpoint()).isNotEqualTo(two.tableEndpoint());
            new RawTables(one).create("mine");

            assertThat(new RawTables(two).list()).doesNotContain("mine");
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    @DisplayName("Ctrl-C, which a terminal sends to all its processes, leaves the emulator to its parent")
    void ignoresInterrupts() throws Exception {
        try (Azurite interrupted = Azurite.start()) {
            String pid = String.valueOf(interrupted.handle().pid());

            assertThat(new ProcessBuilder("kill", "-INT", pid).start().waitFor())
                    .isZero();

            // An emulator that obeys ends within its next rounds; each request is one or more of them.
            for (int i = 0; i < 20; i++) {
                assertThat(server(interrupted.tableEndpoint())).startsWith("Azurite-Table/");
            }
            assertThat(interrupted.isHealthy()).isTrue();
        }
    }

    @Test
    void closeEndsTheProcessCleanly() throws Exception {
        Azurite stopped = Azurite.start();
        ProcessHandle process = stopped.handle();

        stopped.close();

        assertThat(process.onExit().get(10, TimeUnit.SECONDS).isAlive()).isFalse();
        assertThat(stopped.isAlive()).isFalse();
        assertThat(stopped.isHealthy()).isFalse();
        assertThatThrownBy(() -> get(stopped.tableEndpoint())).isInstanceOf(IOException.class);
    }

    private static String server(URI uri) throws IOException, InterruptedException {
        return get(uri).headers().firstValue("Server").orElse("");
    }

    private static HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
        HttpClient http =
                HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build();
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
