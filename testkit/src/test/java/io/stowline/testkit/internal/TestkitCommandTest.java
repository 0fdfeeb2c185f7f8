package io.stowline.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.testkit.Azurite;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The test kit as a command, and emulators on fixed ports. */
class TestkitCommandTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<String> ran = new ArrayList<>();

    private int run(String line) throws InterruptedException {
        List<String> arguments = line.isEmpty() ? List.of() : List.of(line.split(" "));
        return TestkitCommand.run(arguments, print(out), print(err), azurite -> {
            assertThat(azurite.isHealthy()).isTrue();
            ran.add(azurite.connectionString());
        });
    }

    private static PrintStream print(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static ServerSocket taken() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    /** Returns a port that is free, and below those that systems give to sockets without one: another process would get it otherwise. */
    private static int free() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return probe.getLocalPort();
            } catch (IOException e) {
                // taken: the next one
            }
        }
    }

    @Test
    void runsAnEmulatorOnItsPorts() throws InterruptedException {
        int port = free();

        assertThat(run("azurite --blob-port 0 --queue-port 0 --table-port " + port))
                .isZero();

        assertThat(ran)
                .singleElement()
                .asString()
                .contains("TableEndpoint=http://127.0.0.1:" + port + "/devstoreaccount1");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("table  http://127.0.0.1:" + port)
                .contains(ran.get(0));
    }

    @Test
    void aRestartKeepsFixedPorts() {
        int port = free();
        try (Azurite azurite = Azurite.builder().ports(0, port, 0).start()) {
            azurite.restart();

            assertThat(azurite.queueEndpoint().getPort()).isEqualTo(port);
            assertThat(azurite.isHealthy()).isTrue();
        }
    }

    @Test
    void namesAPortThatIsTaken() throws IOException, InterruptedException {
        try (ServerSocket other = taken()) {
            assertThat(run("azurite --blob-port 0 --queue-port 0 --table-port " + other.getLocalPort()))
                    .isEqualTo(1);

            assertThat(err.toString(StandardCharsets.UTF_8))
                    .contains("EADDRINUSE")
                    .contains(Integer.toString(other.getLocalPort()));
        }
    }

    @Test
    void explainsItself() throws InterruptedException {
        assertThat(run("--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("usage:").contains("--table-port");
    }

    @ParameterizedTest
    @CsvSource({
        "'', a command is missing",
        "cosmos, unknown command: cosmos",
        "azurite --speed 3, unknown option: --speed",
        "azurite --blob-port, --blob-port needs a value",
        "azurite --blob-port x, '--blob-port takes a number, not x'",
        "azurite --blob-port 65536, 'the blob port is 0 (a free one) to 65535, not 65536'",
        "azurite --blob-port 10001, 'each service needs a port for itself, not 10001, 10001 and 10002'",
        "azurite --account one, --account takes a name and a key",
        "azurite --account one:%%%, is not Base64"
    })
    void namesWhatIsWrong(String line, String message) throws InterruptedException {
        assertThat(run(line)).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8)).contains(message).contains("usage:");
        assertThat(ran).isEmpty();
    }

    @Test
    void refusesPortsThatAreNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Azurite.builder().ports(-1, 0, 0))
                .withMessageContaining("blob port");
    }
}
