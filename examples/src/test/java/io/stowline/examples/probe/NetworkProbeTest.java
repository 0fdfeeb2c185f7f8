package io.stowline.examples.probe;

import static io.stowline.testkit.RequestMatch.requests;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.examples.probe.ProbedLink.Direction;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.StubResponse;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@AzuriteTest
@Timeout(120)
class NetworkProbeTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(Map<String, String> environment, String... arguments) throws InterruptedException {
        return NetworkProbe.PROGRAM.run(
                List.of(arguments), environment, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    }

    @Test
    @DisplayName("A3, A4, A5: a run against an emulator shows its table and verdict, and leaves no container")
    void measuresAnAccount(Azurite azurite) throws InterruptedException {
        assertThat(run(
                        Map.of(ProgramAccount.VARIABLE, azurite.connectionString()),
                        "--connections",
                        "2",
                        "--seconds",
                        "1",
                        "--round-trips",
                        "5"))
                .as(() -> err.toString(UTF_8))
                .isZero();

        assertThat(out.toString(UTF_8))
                .contains("TCP connection", "HEAD of a blob", ThroughputStep.HEAD)
                .contains("Place: this machine is in or near", "The service's clock is ", "Upload, ", "Download, ")
                .doesNotContain(azurite.accountKey());
        assertThat(out.toString(UTF_8).lines().filter(line -> line.matches("(upload|download) .*")))
                .hasSize(4);
        try (Stowline storage = Stowline.connect(azurite.connectionString())) {
            assertThat(storage.listContainers()).noneMatch(name -> name.startsWith("probe"));
        }
    }

    @Test
    @DisplayName("A4: refusals, broken connections and retries are counted, and uploads of the probe are one request")
    void countsAttempts(Azurite azurite) {
        ClientMeter meter = new ClientMeter();
        try (FaultProxy proxy = FaultProxy.builder().inFrontOf(azurite).start();
                Stowline storage = Stowline.builder()
                        .connectionString(proxy.storage().connectionString())
                        .listener(meter)
                        .build();
                StorageLink link = StorageLink.create(storage)) {
            proxy.when(requests().method("PUT").path("**/content0").times(1))
                    .respond(StubResponse.error(503, "ServerBusy", "The server is busy."));
            proxy.when(requests().method("PUT").path("**/content1").times(1)).reset();
            ClientReading before = meter.read();

            link.transfer(Direction.UPLOAD, 0, StorageLink.MAX_BYTES)
                    .toCompletableFuture()
                    .join();
            link.transfer(Direction.UPLOAD, 1, 64 << 10).toCompletableFuture().join();
            link.transfer(Direction.DOWNLOAD, 0, StorageLink.MAX_BYTES)
                    .toCompletableFuture()
                    .join();

            ClientReading after = meter.read();
            assertThat(after.throttled() - before.throttled()).isOne();
            assertThat(after.broken() - before.broken()).isOne();
            assertThat(after.retries() - before.retries()).isEqualTo(2);
            assertThat(after.attempts() - before.attempts()).isEqualTo(5);
            assertThat(after.cpuNanos()).isGreaterThan(before.cpuNanos());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--seconds, 0, '--seconds needs a number from 1 to 60, not 0'",
        "--connections, 65, '--connections needs a number from 1 to 64, not 65'",
        "--round-trips, 4, '--round-trips needs a number from 5 to 1000, not 4'",
        "--fast, '', unknown option --fast",
        "--connection-string, AccountKey=secret, '--connection-string: '",
    })
    void refusesWrongOptionsInOneLine(String option, String value, String message) throws InterruptedException {
        assertThat(run(Map.of(), option, value)).isEqualTo(2);

        assertThat(err.toString(UTF_8).lines()).singleElement().asString().startsWith(message);
        assertThat(err.toString(UTF_8)).doesNotContain("secret");
    }

    @Test
    void showsItsOptions() throws InterruptedException {
        assertThat(run(Map.of(), "--help")).isZero();
        assertThat(out.toString(UTF_8)).isEqualTo(ProbeOptions.HELP);
    }

    @Test
    void keepsTheSecretOfItsOptions() {
        assertThat(NetworkProbe.PROGRAM.options(
                        List.of("--connections", "4"), Map.of(ProgramAccount.VARIABLE, "AccountKey=secret")))
                .hasToString("ProbeOptions[connections=4, seconds=3, roundTrips=50, given account]");
    }
}
