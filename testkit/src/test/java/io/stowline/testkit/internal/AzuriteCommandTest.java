package io.stowline.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AzuriteCommandTest {

    private static final Path PACKAGES = Path.of("packages").toAbsolutePath();

    @Test
    void startsNodeOnTheServerItselfWithoutAShell() {
        List<String> arguments = prepare(settings(false, null)).command();

        assertThat(arguments)
                .startsWith(
                        "node",
                        "--require",
                        "first.js",
                        "--require",
                        "lookup.js",
                        "bootstrap.js",
                        PACKAGES.resolve("node_modules/azurite/dist/src/azurite.js")
                                .toString());
    }

    @Test
    void passesTheFlagsThatAreNotOptional() {
        List<String> arguments = prepare(settings(false, null)).command();

        assertThat(arguments)
                .contains("--disableTelemetry", "--skipApiVersionCheck", "--inMemoryPersistence", "--silent")
                .doesNotContain("--loose", "--debug");
    }

    @Test
    void bindsEachServiceToItsLoopbackPort() {
        String arguments = String.join(" ", prepare(settings(false, null)).command());

        assertThat(arguments)
                .contains("--blobHost 127.0.0.1 --blobPort 0 --blobKeepAliveTimeout 60")
                .contains("--queueHost 127.0.0.1 --queuePort 10001 --queueKeepAliveTimeout 60")
                .contains("--tableHost 127.0.0.1 --tablePort 0 --tableKeepAliveTimeout 60");
    }

    @Test
    void turnsOnTheLogsThatWereRequested() {
        Path file = Path.of("debug.log").toAbsolutePath();

        assertThat(prepare(settings(true, file)).command())
                .doesNotContain("--silent")
                .containsSequence("--debug", file.toString());
    }

    @Test
    void passesAccountsInTheEnvironment() {
        assertThat(prepare(settings(false, null)).environment())
                .containsEntry("AZURITE_ACCOUNTS", "devstoreaccount1:a2V5");
    }

    @Test
    void dropsWhatWouldLeadAwayFromLoopbackOrChangeNode() {
        Map<String, String> environment = new HashMap<>(Map.of("PATH", "kept", "AZURITE_ACCOUNTS", "foreign:a2V5"));
        List.of(
                        "NODE_OPTIONS",
                        "NODE_PATH",
                        "NODE_ENV",
                        "AZURITE_DB",
                        "http_proxy",
                        "HTTPS_PROXY",
                        "all_proxy",
                        "no_proxy")
                .forEach(name -> environment.put(name, "set"));

        command(settings(false, null)).adapt(environment);

        assertThat(environment)
                .containsOnly(Map.entry("PATH", "kept"), Map.entry("AZURITE_ACCOUNTS", "devstoreaccount1:a2V5"));
    }

    private static AzuriteSettings settings(boolean accessLog, Path debugLog) {
        return new AzuriteSettings(
                Map.of("devstoreaccount1", "a2V5"),
                new ServicePorts(0, 10_001, 0),
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                accessLog,
                debugLog);
    }

    private static ProcessBuilder prepare(AzuriteSettings settings) {
        return command(settings).prepare();
    }

    private static AzuriteCommand command(AzuriteSettings settings) {
        return new AzuriteCommand(
                settings,
                Path.of("node"),
                List.of(Path.of("first.js"), Path.of("lookup.js")),
                Path.of("bootstrap.js"),
                PACKAGES);
    }
}
